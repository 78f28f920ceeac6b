import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { familiesIn, FORMATS, seriesOf, type Format } from '../support/metrics.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';

const FOLDER = resolve(import.meta.dirname, '../../deploy/telemetry');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}
interface Panel {
  title: string;
  datasource: { uid: string };
  targets: { expr: string; exemplar?: boolean }[];
}

const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };

// Counters of long reads exist only with a replica.
const { app, url } = await startSharedGateway({
  config: { metricsPublic: true, replicaUrl: 'postgresql://127.0.0.1:1/none' },
});
const scrape = (accept?: string) => fetch(`${url}/metrics`, { headers: accept === undefined ? {} : { accept } });
const text = await (await scrape()).text();
const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]));

/** The metrics of an expression, by their prefix. `up` is Prometheus's own. */
function metricsIn(expression: string): string[] {
  const names = [...expression.matchAll(/\b(?:gateway|process|nodejs)_\w+/g)].map(([name]) => name);
  return names.map((name) => (kinds.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')));
}

describe.each([
  ['an alert', rules.map(({ alert, expr }) => [alert, expr] as const)],
  [
    'a panel of the dashboard',
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ],
])('%s', (_what, expressions) => {
  test.each(expressions)('%s is about metrics that the gateway has: %s', (_name, expression) => {
    const names = metricsIn(expression);
    if (!expression.startsWith('up{')) expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !kinds.has(name))).toEqual([]);
    // The rate of a gauge is meaningless, and so is the value of a counter.
    for (const name of names) {
      const isCounted = kinds.get(name) !== 'gauge';
      expect([name, /\brate\(/.test(expression)]).toEqual([name, isCounted]);
    }
  });
});

test('both formats of metrics are as they have to be, and have the same series', async () => {
  const read = async (format: Format) => {
    const answer = await scrape(FORMATS[format].accept);
    expect([answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
      FORMATS[format].contentType,
      'Accept',
    ]);
    return familiesIn(await answer.text(), format);
  };
  const [plain, open] = [await read('the text format'), await read('OpenMetrics')];
  // Open handles, kinds of garbage collection and states of jobs may change between two responses.
  const seriesIn = (families: typeof plain) =>
    families
      .flatMap(({ samples }) => samples.map(seriesOf))
      .filter((series) => !/^(?:nodejs_|gateway_jobs)/.test(series));
  expect(seriesIn(open)).toEqual(seriesIn(plain));
  expect(seriesIn(open).length).toBeGreaterThan(20);
  const namesOf = (families: typeof plain) => families.map(({ name, type, help }) => [name, type, help]);
  expect(namesOf(open)).toEqual(
    namesOf(plain).map(([name, type, help]) => [type === 'counter' ? name?.replace(/_total$/, '') : name, type, help]),
  );
});

test.each([
  [undefined, 'the text format'],
  ['*/*', 'the text format'],
  ['text/html,application/xml;q=0.9,*/*;q=0.8', 'the text format'],
  ['application/openmetrics-text;q=0.4,text/plain;q=0.5', 'the text format'],
  ['application/openmetrics-text;q=0', 'the text format'],
  ['application/openmetrics-text', 'OpenMetrics'],
  [
    'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.4,application/openmetrics-text;version=0.0.1;q=0.3',
    'OpenMetrics',
  ],
] as const)('who accepts %s gets %s', async (accept, format) => {
  expect((await scrape(accept)).headers.get('content-type')).toBe(FORMATS[format].contentType);
});

test('each request and each statement is counted once, however often the figures are read', async () => {
  const valueOf = async (name: string, labels: object = {}) => {
    const samples = familiesIn(await (await scrape()).text(), 'the text format').flatMap((family) => family.samples);
    return samples.find((sample) => sample.name === name && isDeepStrictEqual({ ...sample.labels }, labels))?.value;
  };
  const requests = ['gateway_requests_total', { route: 'GET /api/v1/profile', status: '401' }] as const;
  expect(await valueOf(...requests)).toBeUndefined();
  for (let time = 0; time < 3; time += 1) await (await fetch(`${url}/api/v1/profile`)).text();
  await until('they are counted', async () => (await valueOf(...requests)) === 3);
  await app.database.rows('select 1');
  for (let time = 0; time < 2; time += 1) {
    const before = app.database.executed;
    const counted = await valueOf('gateway_database_statements_total');
    expect([before <= counted!, counted! <= app.database.executed]).toEqual([true, true]);
  }
});

test('the dashboard shows every metric of the gateway itself', () => {
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
  const ours = [...kinds.keys()].filter((name) => name.startsWith('gateway_'));
  expect(ours.length).toBeGreaterThanOrEqual(11);
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  for (const what of ['connections', 'subscriptions', 'waiting'])
    expect(text).toContain(`gateway_live{what="${what}"} 0`);
});

test('labels that alerts and panels choose by are those that the metrics have', () => {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', given = ''] of text.matchAll(/^(\w+)\{([^}]*)\}/gm))
    for (const [, label = ''] of given.matchAll(/(\w+)="/g))
      labels.set(name, (labels.get(name) ?? new Set()).add(label));
  const chosen = [...rules, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) =>
    [...expr.matchAll(/\b(gateway_\w+)\{(\w+)[=!]/g)].map(([, name = '', label = '']) => [name, label] as const),
  );
  expect(chosen.length).toBeGreaterThan(3);
  for (const [name, label] of chosen)
    if (labels.has(name))
      expect([name, [...(labels.get(name) ?? [])]]).toEqual([name, expect.arrayContaining([label])]);
});

test('every alert has a severity and says what it is about, and each has a name of its own', () => {
  for (const { labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^\S.*\.$/);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

test('Prometheus, Grafana and the collector name files, sources and services that are there', () => {
  const { services } = parse(readFileSync(join(FOLDER, '../../docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, string>; configs?: { target: string }[]; command?: string[] }
    >;
  };
  const targetsOf = (name: string) => services[name]?.configs?.map(({ target }) => target) ?? [];
  const prometheus = parse(read('prometheus.yaml'));
  expect(targetsOf('prometheus')).toEqual(expect.arrayContaining(prometheus.rule_files));
  const port = services['gateway']?.environment?.['METRICS_PORT'];
  expect(prometheus.scrape_configs[0].static_configs[0].targets).toEqual([`gateway:${port}`]);
  const { datasources } = parse(read('grafana-sources.yaml')) as {
    datasources: {
      uid: string;
      url: string;
      jsonData?: { exemplarTraceIdDestinations: { datasourceUid: string }[] };
    }[];
  };
  for (const source of datasources) expect(Object.keys(services)).toContain(new URL(source.url).hostname);
  const uids = datasources.map(({ uid }) => uid);
  for (const { datasource } of panels) expect(uids).toContain(datasource.uid);
  const traces = datasources.flatMap(({ jsonData }) => jsonData?.exemplarTraceIdDestinations ?? []);
  expect(traces.map(({ datasourceUid }) => datasourceUid)).toEqual(['traces']);
  expect(uids).toContain('traces');
  const withExemplars = panels.flatMap(({ targets }) => targets.filter(({ exemplar }) => exemplar));
  expect(withExemplars.map(({ expr }) => metricsIn(expr))).toEqual([['gateway_request_duration_seconds']]);
  expect(services['prometheus']?.command).toContain('--enable-feature=exemplar-storage');
  const [{ options }] = parse(read('grafana-dashboards.yaml')).providers;
  expect(targetsOf('grafana')).toContain(`${options.path}/gateway.json`);
  const { exporters } = parse(read('collector.yaml'));
  expect(Object.keys(services)).toContain(exporters.otlp.endpoint.split(':')[0]);
});
