/** A metric as `getMetricsAsJSON` of the registry has it. */
interface MetricFamily {
  name: string;
  help: string;
  /** A word, whatever the library's types say. */
  type: unknown;
  values: readonly Sample[];
}

interface Sample {
  value: number;
  labels: Labels;
  /** That of the family when absent. */
  metricName?: string;
}

type Labels = Readonly<Partial<Record<string, string | number>>>;

/** An observation that stands for the others of its bucket, and the trace that it belongs to. */
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
