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

/** Undefined while telemetry is off: each span then costs one comparison (docs/adr/0045). */
let tracer: Tracer | undefined;

/** Enables spans, or disables them. */
export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Name and attributes of a span; never a text, a parameter, an address or other data of a caller. */
export interface SpanPlan {
  name: string;
  /** Internal when absent. */
  kind?: SpanKind;
  /** By the semantic conventions of OpenTelemetry; others begin with `gateway.`. */
  attributes?: Attributes;
  /**
   * The `traceparent` of each request that caused it: one is the parent, several are linked. Without any, the current
   * span is the parent.
   */
  causes?: readonly (string | undefined)[];
}

/** A span that its owner ends. */
export interface OpenSpan {
  readonly span: Span;
  /** Runs `work` with this span as the current one. */
  run<Result>(work: () => Result): Result;
}

/**
 * Begins a span; undefined while telemetry is off, and within a trace that is not sampled: then `plan` is not called.
 */
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

/** Runs `work` in its own span. An error marks the span by its code only. */
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

/** Whether the current span is recorded. */
export function isTraced(): boolean {
  return tracer !== undefined && trace.getActiveSpan()?.isRecording() === true;
}

/** The id of the current trace, as 32 hexadecimal digits; undefined without one. */
export function traceId(): string | undefined {
  return tracer === undefined ? undefined : trace.getActiveSpan()?.spanContext().traceId;
}

/** The current span as a header `traceparent` (W3C Trace Context); undefined without one. */
export function traceparent(): string | undefined {
  const active = tracer === undefined ? undefined : trace.getActiveSpan()?.spanContext();
  if (active === undefined) return undefined;
  return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Marks a span as failed. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** A refusal is a regular answer: the span has not failed. Messages may contain data of a caller. */
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
