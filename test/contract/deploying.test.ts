import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const KNOWN = [...read('src/config.ts').matchAll(/\breader\.\w+\(\s*'([A-Z0-9_]+)'/g)].map(([, key]) => key);
/** The Node flags of the image. */
const FLAGS = (JSON.parse(/^ENTRYPOINT (.*)$/m.exec(read('Dockerfile'))![1]!) as string[]).slice(1);
/** Secrets of the guide: none of them is in a file of the project. */
const SECRETS = {
  DATABASE_URL: 'postgresql://gateway:password@database.example.com:5432/gateway',
  SECRET_KEY: 'a key of more than thirty-two characters',
  STORAGE_URL: 's3://key:secret@store.example.com/gateway',
  SMTP_URL: 'smtp://relay.example.com:587',
};

const gateway = await startSharedGateway();

describe('the manifests for Kubernetes', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes/gateway.yaml')).map(
    (document) => document.toJS() as { kind: string; metadata: { name: string } },
  );
  const KINDS = { Deployment, Service, PodDisruptionBudget };
  const of = <Kind extends keyof typeof KINDS>(kind: Kind) =>
    documents.find((document) => document.kind === kind) as InstanceType<(typeof KINDS)[Kind]>;
  const kustomization = parse(read('deploy/kubernetes/kustomization.yaml')) as {
    resources: string[];
    images: { name: string }[];
    configMapGenerator: { name: string; literals: string[] }[];
  };
  const pod = of('Deployment').spec!.template.spec!;
  const [container] = pod.containers as [(typeof pod.containers)[number]];
  const [migration] = pod.initContainers!;
  const [config] = kustomization.configMapGenerator as [(typeof kustomization.configMapGenerator)[number]];
  const environment = Object.fromEntries(config.literals.map((line) => line.split('=') as [string, string]));

  test('are a Deployment, a Service and a PodDisruptionBudget by the schemas of Kubernetes', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(Object.keys(KINDS));
    for (const document of documents)
      expect(() => new KINDS[document.kind as keyof typeof KINDS](document as never).validate()).not.toThrow();
    expect(kustomization.resources).toEqual(['gateway.yaml']);
  });

  test('the schemas refuse a field that Kubernetes would not take', () => {
    const wrong = new Service({ ...of('Service'), spec: { ports: [{ port: 'eighty' as never }] } });
    expect(() => wrong.validate()).toThrow(/port/);
  });

  test('lead to each other by their names and labels', () => {
    const { matchLabels } = of('Deployment').spec!.selector;
    expect(of('Service').spec!.selector).toEqual(matchLabels);
    expect(of('PodDisruptionBudget').spec!.selector!.matchLabels).toEqual(matchLabels);
    expect(container.ports!.map(({ name }) => name)).toContain(of('Service').spec!.ports![0]!.targetPort);
    expect(kustomization.images.map(({ name }) => `${name}:latest`)).toEqual([container.image]);
    expect(container.envFrom!.map(({ configMapRef, secretRef }) => (configMapRef ?? secretRef)!.name)).toContain(
      config.name,
    );
  });

  test('give the gateway variables that it reads, and values that it accepts', () => {
    expect(Object.keys(environment).filter((key) => !KNOWN.includes(key))).toEqual([]);
    const ports = Object.fromEntries(container.ports!.map(({ name, containerPort }) => [name!, containerPort]));
    const { host, port, metricsPort, dataDir } = readConfig({ ...environment, ...SECRETS });
    expect({ host, port, metricsPort }).toEqual({ host: '0.0.0.0', port: ports.http, metricsPort: ports.metrics });
    // Kubernetes would add variables of other services.
    expect(pod.enableServiceLinks).toBe(false);
    expect(container.volumeMounts!.map(({ mountPath }) => mountPath)).toContain(dataDir);
  });

  test('give only the migration the role that owns the tables', () => {
    const secretsOf = ({ envFrom = [] }: Pick<typeof container, 'envFrom'>) =>
      envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []);
    expect(secretsOf(migration!)).toEqual(['compliance-gateway', 'compliance-gateway-migration']);
    expect(secretsOf(container)).toEqual(['compliance-gateway']);
    expect(migration!.args).toEqual(['dist/main.js', 'migrate']);
  });

  test.each([
    ['livenessProbe', '/health/live'],
    ['readinessProbe', '/health/ready'],
  ] as const)('ask a path that a gateway which serves answers with 200: %s', async (probe, path) => {
    expect(container[probe]!.httpGet).toMatchObject({ path, port: 'http' });
    expect((await fetch(new URL(path, gateway.url))).status).toBe(200);
  });

  test('run as an ordinary user on a file system that the program cannot change', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const { securityContext } of [container, migration!])
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  test('give requests under way their time: the pause and what the gateway waits for fit into the grace period', () => {
    const pause = container.lifecycle!.preStop!.sleep!.seconds;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pause + 10 + 5);
  });
});

describe('the unit for systemd', () => {
  const unit = read('deploy/systemd/compliance-gateway.service');
  const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

  test('starts Node as the image does', () => {
    expect(valuesOf('ExecStart')).toEqual([['/usr/bin/node', ...FLAGS, 'dist/main.js'].join(' ')]);
  });

  test('stops the gateway first, which ends its database after the last request', () => {
    expect(valuesOf('KillMode')).toEqual(['mixed']);
  });

  test('gives the gateway variables that it reads, and a folder that it may write to', () => {
    const environment = Object.fromEntries(
      valuesOf('Environment')[0]!
        .split(' ')
        .map((each) => each.split('=')),
    );
    expect(Object.keys(environment).filter((key) => !KNOWN.includes(key))).toEqual(['NODE_ENV']);
    expect(readConfig({ ...environment, ...SECRETS }).dataDir).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`);
  });
});
