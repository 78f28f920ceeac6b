/** A metric in the format of the registry's `getMetricsAsJSON`. */
interface MetricFamily {
  name: string;
  help: string;
  /** A string, despite the library's types. */
  type: unknown;
  values: readonly Sample[];
}

interface Sample {
  value: number;
  labels: Labels;
  /** Defaults to that of the family. */
  metricName?: string;
}

type Labels = Readonly<Partial<Record<string, string | number>>>;

/** A sample observation of its bucket, with its trace. */
export interface Exemplar {
  traceId: string;
  value: number;
  /** Seconds since 1970. */
  at: number;
}

/**
 * Metrics as OpenMetrics 1.0 has them, with exemplars. The library writes this format, too, and renames its counters for
 * good when it does. Names and labels of series are those of the text format, so that it does not matter which one is read.
 */
export function openMetricsOf(
  families: readonly MetricFamily[],
  exemplarOf: (name: string, labels: Labels) => Exemplar | undefined,
): string {
  const lines = families.flatMap(({ name, help, type, values }) => {
    // A counter is called without the suffix that its samples have.
    const family = type === 'counter' ? name.replace(/_total$/, '') : name;
    const samples = values.map(({ metricName = name, labels, value }) => {
      const exemplar = exemplarOf(metricName, labels);
      return `${metricName}${labelsOf(labels)} ${value}${exemplar === undefined ? '' : textOf(exemplar)}`;
    });
    return [`# TYPE ${family} ${String(type)}`, `# HELP ${family} ${escaped(help)}`, ...samples];
  });
  return `${lines.join('\n')}\n# EOF\n`;
}

function labelsOf(labels: Labels): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}

function textOf({ traceId, value, at }: Exemplar): string {
  return ` # {trace_id="${traceId}"} ${value} ${at}`;
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
}
