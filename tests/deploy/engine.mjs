// The container engine of this machine, by its command line, and where there is none: a loud word.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { repository, run } from '../e2e/harness/server.mjs';
import { goWithout } from './skipped.mjs';

/** Whether a program can be run, and ends well. */
async function succeeds(program, args) {
  try {
    return (await run(program, args)).code === 0;
  } catch {
    return false;
  }
}

/**
 * Whether an engine answers, if need be one that TEST_DOCKER_ENGINE, a program, starts when it is
 * told `up`, and stops when it is told `down` at the end of this process.
 */
async function engineAnswers() {
  const answers = () => succeeds('docker', ['version', '--format', '{{.Server.Version}}']);
  if (await answers()) return true;
  const program = process.env.TEST_DOCKER_ENGINE;
  if (!program) return false;
  process.on('exit', () => spawnSync(program, ['down'], { stdio: 'inherit' }));
  return (await succeeds(program, ['up'])) && answers();
}

/** Whether a container fetches packages, as the build of an image does. */
async function containersFetch() {
  const inContainer = (image, ...command) => succeeds('docker', ['run', '--rm', image, ...command]);
  return (
    (await inContainer(
      'debian:bookworm-slim',
      ...['apt-get', '-q', '-o', 'APT::Update::Error-Mode=any', 'update'],
    )) &&
    inContainer('node:20-bookworm-slim', 'npm', 'view', '--fetch-retries=0', 'vite', 'version')
  );
}

/** Ends the process: TEST_DOCKER=required makes a failure of it. */
const withoutEngine = (wanted) =>
  goWithout('the container is', wanted, process.env.TEST_DOCKER === 'required');

/** The command of Compose: the engine's own, or that of version 1. */
async function composeCommand() {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const [program, ...args] = command;
    if (await succeeds(program, [...args, 'version'])) return command;
  }
  return withoutEngine('Docker Compose');
}

/** Runs a program that must end well. Returns what it printed, without the space around it. */
async function must(program, args, options) {
  const { code, stdout, stderr } = await run(program, args, options);
  assert.equal(code, 0, `${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout.trim();
}

if (!(await engineAnswers())) {
  withoutEngine('an engine that answers `docker version` (TEST_DOCKER_ENGINE may start one)');
}
if (!(await containersFetch())) {
  withoutEngine('an engine whose containers reach the packages of Debian and npm');
}
const [composeProgram, ...composeArgs] = await composeCommand();

/** docker ARGS, which must succeed: what it printed. */
export const docker = (...args) => must('docker', args, { cwd: repository });

/** docker ARGS, whatever comes of it: { code, stdout, stderr }. */
export const tryDocker = (...args) => run('docker', args, { cwd: repository });

/** Compose with the repository's docker-compose.yml, which must succeed: what it printed. */
export const compose = (env, ...args) =>
  must(composeProgram, [...composeArgs, ...args], {
    cwd: repository,
    env: { ...process.env, ...env },
  });

/** What `docker inspect` says of a container or an image, by a Go template. */
export const inspect = (name, template) => docker('inspect', '--format', template, name);
