/** A line of `/metrics` with a value. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
  exemplar?: { labels: Readonly<Record<string, string>>; value: number; timestamp: number };
}

/** A metric with all of its samples. */
export interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

export const FORMATS = {
  'the text format': { accept: 'text/plain;version=0.0.4', contentType: 'text/plain; version=0.0.4; charset=utf-8' },
  OpenMetrics: {
    // As Prometheus 3 requests it.
    accept:
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
    contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  },
} as const;
export type Format = keyof typeof FORMATS;

const SUFFIXES: Readonly<Record<Format, Readonly<Record<string, readonly string[]>>>> = {
  'the text format': { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] },
  OpenMetrics: { counter: ['_total'], gauge: [''], histogram: ['_bucket', '_sum', '_count'] },
};

const [NAME, TEXT, LABEL] = ['[a-zA-Z_][a-zA-Z0-9_]*', String.raw`(?:[^"\\\n]|\\["\\n])*`, '[a-zA-Z_][a-zA-Z0-9_]*'];
const LABELS = `\\{(?:${LABEL}="${TEXT}"(?:,${LABEL}="${TEXT}")*)?\\}`;
const NUMBER = String.raw`(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|Nan|[+-]Inf)`;
const SAMPLE = new RegExp(`^(${NAME})(${LABELS})? (${NUMBER})(?: # (${LABELS}) (${NUMBER}) (\\d+(?:\\.\\d+)?))?$`);

/** Parses metrics strictly: throws for everything that either format does not allow. */
export function familiesIn(text: string, format: Format): Family[] {
  const isOpen = format === 'OpenMetrics';
  const end = isOpen ? '\n# EOF\n' : '\n';
  require(text.endsWith(end) && text.indexOf('# EOF') === (isOpen ? text.length - 6 : -1), 'its end');
  const lines = text.slice(0, -end.length).split('\n');
  const families: Family[] = [];
  for (const line of isOpen ? lines : lines.filter((each) => each !== '')) {
    const [, word, name = '', text = ''] = /^# (TYPE|HELP) (\S+) (.+)$/.exec(line) ?? [];
    if (isOpen) require(new RegExp(`^${TEXT}$`).test(text), `the ${word} of ${name}`);
    const rest = unescaped(text);
    const last = families.at(-1);
    if (word === undefined) readSample(line, last, format);
    else if (last?.name === name && last.samples.length === 0) Object.assign(last, { [word.toLowerCase()]: rest });
    else {
      require(!families.some((each) => each.name === name), `${name} comes once`);
      families.push({ name, type: '', help: '', samples: [], [word.toLowerCase()]: rest });
    }
  }
  for (const family of families) {
    require(family.type !== '' && family.help !== '', `type and help of ${family.name}`);
    if (family.type === 'histogram') requireHistogram(family);
  }
  const keys = families.flatMap(({ samples }) => samples.map(seriesOf));
  require(new Set(keys).size === keys.length, 'each series once');
  return families;
}

/** Name and labels, by which Prometheus identifies a series. */
export function seriesOf({ name, labels }: Sample): string {
  return `${name}${JSON.stringify(Object.entries(labels).toSorted())}`;
}

function readSample(line: string, family: Family | undefined, format: Format): void {
  const [, name = '', labels, value, exemplarLabels, exemplarValue, timestamp] = SAMPLE.exec(line) ?? [];
  require(value !== undefined && family !== undefined, `a sample: ${line}`);
  const suffixes = SUFFIXES[format][family.type] ?? [];
  require(suffixes.some((suffix) => name === family.name + suffix), `${name} in ${family.name} of ${family.type}`);
  const sample: Sample = { name, labels: labelsIn(labels), value: numberIn(value) };
  if (exemplarLabels !== undefined) {
    require(format === 'OpenMetrics' && /_(?:bucket|total)$/.test(name), `an exemplar of ${name}`);
    sample.exemplar = {
      labels: labelsIn(exemplarLabels),
      value: numberIn(exemplarValue ?? ''),
      timestamp: Number(timestamp),
    };
    require(exemplarLabels.length <= 128, 'an exemplar of 128 characters');
    require(sample.exemplar.value <= numberIn(sample.labels['le'] ?? ''), 'an exemplar of its bucket');
  }
  family.samples.push(sample);
}

function labelsIn(text = '{}'): Record<string, string> {
  const found = [...text.matchAll(new RegExp(`(${LABEL})="(${TEXT})"`, 'g'))];
  return Object.fromEntries(found.map(([, name, value = '']) => [name, unescaped(value)]));
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_all, one) => (one === 'n' ? '\n' : one));
}

function numberIn(text: string): number {
  return Number(text.replace('Inf', 'Infinity').replace('Nan', 'NaN'));
}

/** Buckets increase up to `+Inf`, which is the count. */
function requireHistogram({ name, samples }: Family): void {
  const others = ({ le: _le, ...rest }: Sample['labels']) => JSON.stringify(rest);
  for (const each of Map.groupBy(samples, ({ labels }) => others(labels)).values()) {
    const buckets = each.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => numberIn(labels['le'] ?? ''));
    const counts = buckets.map(({ value }) => value);
    for (const numbers of [bounds, counts])
      require(numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!), `the buckets of ${name} grow`);
    const count = each.find((sample) => sample.name === `${name}_count`)?.value;
    require(bounds.at(-1) === Infinity && counts.at(-1) === count, `the count of ${name}`);
  }
}

function require(isValid: boolean, what: string): asserts isValid {
  if (!isValid) throw new Error(`These are no metrics: ${what}`);
}
