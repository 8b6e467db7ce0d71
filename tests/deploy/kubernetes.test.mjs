// The manifests for Kubernetes: of its types, and what each refers to is there. They are not
// applied to a cluster here.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { faultsOf, render } from '../e2e/harness/deploy/kubernetes.mjs';
import { repository, run } from '../e2e/harness/server.mjs';

let folder;
const overlay = (name) => path.join(folder, 'kubernetes', name);

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-kubernetes-'));
  for (const name of ['kubernetes', 'haproxy', 'prometheus']) {
    await cp(path.join(repository, 'deploy', name), path.join(folder, name), { recursive: true });
  }
  const { code, stderr } = await run(overlay('prepare.sh'), ['--tls', 'games', '6']);
  assert.equal(code, 0, stderr);
});
after(() => rm(folder, { recursive: true, force: true }));

const named = (objects, kind) => objects.filter((object) => object.kind === kind);
const podsOf = (objects) =>
  [...named(objects, 'StatefulSet'), ...named(objects, 'Deployment')].map(
    ({ spec: { template } }) => ({ labels: template.metadata.labels, ...template.spec }),
  );
const isOf = (labels, selector = {}) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
const portNames = (pod) => pod.containers.flatMap(({ ports }) => ports.map(({ name }) => name));

function assertReferences(objects) {
  const pods = podsOf(objects);
  for (const { metadata, spec } of named(objects, 'Service')) {
    const served = pods.filter(({ labels }) => isOf(labels, spec.selector));
    assert.equal(served.length, 1, metadata.name);
    for (const { name, targetPort = name } of spec.ports) {
      assert.ok(portNames(served[0]).includes(targetPort), `${metadata.name}: ${targetPort}`);
    }
  }
  for (const { metadata, spec } of named(objects, 'NetworkPolicy')) {
    const [pod] = pods.filter(({ labels }) => isOf(labels, spec.podSelector.matchLabels));
    for (const { port } of spec.ingress.flatMap(({ ports }) => ports)) {
      assert.ok(portNames(pod).includes(port), `${metadata.name}: ${port}`);
    }
  }
  for (const { metadata, spec } of named(objects, 'PodDisruptionBudget')) {
    assert.ok(
      pods.some(({ labels }) => isOf(labels, spec.selector.matchLabels)),
      metadata.name,
    );
  }
  for (const { spec } of named(objects, 'Ingress')) {
    const { name, port } = spec.rules[0].http.paths[0].backend.service;
    const [service] = named(objects, 'Service').filter(({ metadata }) => metadata.name === name);
    assert.ok(service.spec.ports.some((one) => one.name === port.name));
  }
  for (const { spec } of named(objects, 'ServiceMonitor')) {
    const found = named(objects, 'Service').filter(({ metadata }) =>
      isOf(metadata.labels, spec.selector.matchLabels),
    );
    assert.equal(found.length, 1, 'each server is scraped once');
    const names = found[0].spec.ports.map(({ name }) => name);
    assert.ok(spec.endpoints.every(({ port }) => names.includes(port)));
    assert.equal(found[0].metadata.labels[spec.jobLabel], 'tesela');
  }
  for (const pod of pods) {
    const volumes = pod.volumes.map(({ name }) => name);
    for (const { name } of pod.containers.flatMap(({ volumeMounts }) => volumeMounts)) {
      assert.ok(volumes.includes(name), name);
    }
  }
}

/** A rolling update loses nothing, and no machine has two of a kind. */
function assertOrderly(objects) {
  for (const { metadata, spec } of [
    ...named(objects, 'StatefulSet'),
    ...named(objects, 'Deployment'),
  ]) {
    const pod = spec.template.spec;
    assert.ok(spec.minReadySeconds >= 5, metadata.name);
    assert.ok(pod.containers[0].lifecycle.preStop, metadata.name);
    const [spread] = pod.topologySpreadConstraints;
    assert.equal(spread.whenUnsatisfiable, 'DoNotSchedule');
    assert.deepEqual(spread.labelSelector.matchLabels, spec.selector.matchLabels);
  }
}

for (const name of ['haproxy', 'tls', 'ingress']) {
  test(`${name}, watched by Prometheus`, async () => {
    const objects = await render(overlay(name), [overlay('monitoring')]);
    assert.equal(await faultsOf(objects), '');
    assertReferences(objects);
    assertOrderly(objects);
    const ids = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal(new Set(ids).size, ids.length);
  });
}

test('the types find a name that is none, and a number that is a text', async () => {
  const [service] = named(await render(overlay('base')), 'Service');
  const [name, number] = [structuredClone(service), structuredClone(service)];
  name.spec.prots = [];
  number.spec.ports[0].port = '8080';
  const faults = await faultsOf([name, number]);
  assert.match(faults, /"prots"' does not exist in type 'IServiceSpec'/);
  assert.match(faults, /Type 'string' is not assignable to type 'number'/);
});

test('each file that the servers are told of is in one of their secrets', async () => {
  const secrets = {
    'tesela-keys': ['token.key', 'daily.key', 'node.key'],
    'tesela-database': ['database.url'],
    'tesela-operators': ['admin.key'],
  };
  const [pod] = podsOf(await render(overlay('base')));
  const told = pod.containers[0].env
    .map(({ value }) => value)
    .filter((value) => value?.startsWith('/secrets/'))
    .map((value) => path.basename(value));
  assert.deepEqual(told.toSorted(), Object.values(secrets).flat().toSorted());
  const { sources } = pod.volumes.find(({ name }) => name === 'secrets').projected;
  assert.deepEqual(
    sources.map(({ secret }) => secret.name),
    Object.keys(secrets),
  );
  // The commands of the page make them.
  const page = await readFile(path.join(repository, 'deploy/README.md'), 'utf8');
  for (const [name, files] of Object.entries(secrets)) {
    const [command] = page.match(new RegExp(`^kubectl create secret generic ${name} .*$`, 'm'));
    for (const file of files) assert.ok(command.includes(`--from-file=secrets/${file}`), command);
  }
});

test('under TLS nothing is offered without it, and HAProxy finds certificate and key', async () => {
  const objects = await render(overlay('tls'));
  const [balancer] = named(objects, 'Service').filter(({ spec }) => spec.type === 'LoadBalancer');
  assert.deepEqual(
    balancer.spec.ports.map(({ name, port }) => [name, port]),
    [['https', 443]],
  );
  const [{ data }] = named(objects, 'ConfigMap');
  const [, file] = data['haproxy.cfg'].match(/^ +bind :8443 .* crt (\S+) /m);
  const pod = podsOf(objects).find(({ labels }) => isOf(labels, balancer.spec.selector));
  const { volumeMounts } = pod.containers[0];
  const { name } = volumeMounts.find(({ mountPath }) => mountPath === path.dirname(file));
  const { secret } = pod.volumes.find((volume) => volume.name === name);
  assert.deepEqual(
    secret.items.map(({ path: as }) => as),
    [path.basename(file), `${path.basename(file)}.key`],
  );
});

test('the alerts are those of deploy/prometheus', async () => {
  const [{ spec }] = named(await render(overlay('monitoring')), 'PrometheusRule');
  const alerts = await readFile(path.join(repository, 'deploy/prometheus/alerts.yml'), 'utf8');
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  assert.deepEqual(
    spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)),
    names,
  );
});
