import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What is measured, for Prometheus. Routes are patterns, so that the number of series is bounded. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations: Histogram<'route' | 'status'>;
  private readonly requests: Counter<'route' | 'status'>;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.durations = new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
    });
    this.requests = new Counter({
      name: 'gateway_requests_total',
      help: 'Requests answered.',
      labelNames: ['route', 'status'],
      registers: [this.registry],
    });
  }

  answered(route: string, status: number, seconds: number): void {
    const labels = { route, status };
    this.durations.observe(labels, seconds);
    this.requests.inc(labels);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
