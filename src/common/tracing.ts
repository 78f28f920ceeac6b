import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { DomainError } from '../errors.js';

export { SpanKind, type Span };

/** Undefined while telemetry is off: each place that has a span costs one comparison then (docs/adr/0045). */
let tracer: Tracer | undefined;

/** Has spans made from now on, or none. */
export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Name and attributes of a span; never a text, a parameter, an address or anything else that a caller has written. */
export interface SpanPlan {
  name: string;
  /** Within the gateway when absent. */
  kind?: SpanKind;
  /** By the names of OpenTelemetry's semantic conventions; others begin with `gateway.`. */
  attributes?: Attributes;
  /**
   * The `traceparent` of each request that has led to it: one is the parent, several are linked. Without any, the span
   * under way is the parent.
   */
  causes?: readonly (string | undefined)[];
}

/** A span whose owner ends it. */
export interface OpenSpan {
  readonly span: Span;
  /** Runs `work` with this span as the one under way. */
  run<Result>(work: () => Result): Result;
}

/** Begins a span; undefined while telemetry is off, and within a trace that is not sampled. `plan` is called otherwise. */
export function openSpan(plan: () => SpanPlan): OpenSpan | undefined {
  if (tracer === undefined) return undefined;
  const active = context.active();
  const { name, kind = SpanKind.INTERNAL, attributes = {}, causes } = plan();
  const under = trace.getSpan(active);
  const known = [...new Set(causes)].map(spanContextOf).filter((each) => each !== undefined);
  if (known.length === 0 && under?.isRecording() === false) return undefined;
  const [only] = known.length === 1 ? known : [];
  const linked = only === undefined ? known : under === undefined ? [] : [under.spanContext()];
  const parent = only === undefined ? active : trace.setSpanContext(ROOT_CONTEXT, only);
  const links = linked.map((each) => ({ context: each }));
  const span = tracer.startSpan(name, { kind, attributes, links }, parent);
  const within = trace.setSpan(active, span);
  return { span, run: (work) => context.with(within, work) };
}

/** Runs `work` in a span of its own. What it throws marks the span, by its code alone. */
export function traced<Result>(plan: () => SpanPlan, work: (span?: Span) => Result): Result {
  if (tracer === undefined) return work();
  const open = openSpan(plan);
  if (open === undefined) return work();
  const { span } = open;
  try {
    const result = open.run(() => work(span));
    if (!isPromise(result)) {
      span.end();
      return result;
    }
    return result.then(
      (value) => {
        span.end();
        return value;
      },
      (error: unknown) => {
        fail(span, error);
        throw error;
      },
    ) as Result;
  } catch (error) {
    fail(span, error);
    throw error;
  }
}

/** Whether a span is under way that is kept. */
export function isTraced(): boolean {
  return tracer !== undefined && trace.getActiveSpan()?.isRecording() === true;
}

/** The id of the trace under way, as 32 hexadecimal digits; undefined without one. */
export function traceId(): string | undefined {
  return tracer === undefined ? undefined : trace.getActiveSpan()?.spanContext().traceId;
}

/** The span under way as the header `traceparent` has it (W3C Trace Context); undefined without one. */
export function traceparent(): string | undefined {
  const active = tracer === undefined ? undefined : trace.getActiveSpan()?.spanContext();
  if (active === undefined) return undefined;
  return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Marks a span as failed. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** A refusal is an answer like any other: the span is not failed. Messages may have what a caller has written. */
function fail(span: Span, error: unknown): void {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const type = String(code ?? name ?? 'unknown');
  if (error instanceof DomainError && !FAILURES.has(type)) span.setAttribute('error.type', type);
  else markFailed(span, type);
  span.end();
}

const FAILURES: ReadonlySet<string> = new Set(['INTERNAL', 'UNAVAILABLE']);

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

function spanContextOf(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(found) ? found : undefined;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Promise<unknown> | undefined)?.then === 'function';
}
