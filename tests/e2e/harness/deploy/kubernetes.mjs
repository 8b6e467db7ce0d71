// The manifests of deploy/kubernetes, put together as kustomize does with what they use of it, and
// held against Kubernetes' own types.
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { run } from '../server.mjs';

/** By which of their members the elements of a list are one and the same. */
const keys = {
  containers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  ports: ['containerPort', 'port'],
};

const isMap = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function mergeList(name, base, patch) {
  if (patch.some(({ $patch } = {}) => $patch === 'replace')) {
    return patch.filter((element) => !('$patch' in element));
  }
  const key = [keys[name]].flat().find((one) => patch.every((element) => one && one in element));
  if (!key) return patch;
  const same = (one) => (other) => other[key] === one[key];
  return [
    ...base.map((one) => merge(one, patch.find(same(one)) ?? {})),
    ...patch.filter((one) => !base.some(same(one))),
  ];
}

/** A strategic merge. */
function merge(base, patch) {
  const merged = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    const old = merged[name];
    if (isMap(old) && isMap(value)) merged[name] = merge(old, value);
    else if (Array.isArray(old)) merged[name] = mergeList(name, old, value);
    else merged[name] = value;
  }
  return merged;
}

const documents = async (file) =>
  // As Kubernetes reads it: 0440 is octal.
  parseAllDocuments(await readFile(file, 'utf8'), { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });

const known = ['apiVersion', 'kind', 'resources', 'components', 'patches', 'configMapGenerator'];

/** The objects of a kustomization, a folder, and of further components. */
export async function render(folder, components = []) {
  const [kustomization] = await documents(path.join(folder, 'kustomization.yaml'));
  const strange = Object.keys(kustomization).filter((name) => !known.includes(name));
  if (strange.length > 0) throw new Error(`${folder}: ${strange} is not known here`);
  const at = (name) => path.join(folder, name);
  const objects = [];
  for (const name of [...(kustomization.resources ?? []), ...components.map(relative(folder))]) {
    const isFile = name.endsWith('.yaml');
    objects.push(...(isFile ? await documents(at(name)) : await render(at(name))));
  }
  for (const { name, files } of kustomization.configMapGenerator ?? []) {
    const read = async (file) => [file, await readFile(at(file), 'utf8')];
    const data = Object.fromEntries(await Promise.all(files.map(read)));
    objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  }
  for (const { path: file } of kustomization.patches ?? []) {
    for (const patch of await documents(at(file))) {
      const index = objects.findIndex(
        ({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name,
      );
      if (index < 0) throw new Error(`${file}: there is no ${patch.kind} ${patch.metadata.name}`);
      objects[index] = merge(objects[index], patch);
    }
  }
  return objects;
}

const relative = (folder) => (other) => path.relative(folder, other);

/** What Kubernetes' types say against the objects; nothing when they are of these types. */
export async function faultsOf(objects) {
  const lines = objects.map(({ apiVersion, kind }, i) => {
    const library = apiVersion.startsWith('monitoring.coreos.com/')
      ? '@kubernetes-models/prometheus-operator'
      : 'kubernetes-models';
    return (
      `import type { I${kind} as T${i} } from '${library}/${apiVersion}/${kind}';\n` +
      `export const object${i}: T${i} = ${JSON.stringify(objects[i], null, 1)};\n`
    );
  });
  const e2e = new URL('../..', import.meta.url).pathname;
  const file = path.join(e2e, 'gen', `kubernetes-${process.pid}.ts`);
  await writeFile(file, lines.join(''));
  try {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const { code, stdout, stderr } = await run(
      path.join(e2e, 'node_modules/.bin/tsc'),
      [...options, '--moduleResolution', 'nodenext', file],
      { cwd: e2e, timeout: 300_000 },
    );
    return code === 0 ? '' : stdout + stderr;
  } finally {
    await rm(file);
  }
}
