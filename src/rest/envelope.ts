import type { DomainError, ErrorMessage } from '../errors.js';

/** What every answer is wrapped in (specification 2.1). The order of the keys is the order on the wire. */
export interface SuccessEnvelope {
  error: 0;
  messages: [];
  data: unknown;
  /** Lists only: how many items meet the filter. */
  total?: number;
}

/** Never with a `data` key (decisions §3). */
export interface FaultEnvelope {
  error: 1;
  messages: readonly ErrorMessage[];
}

/** With `total` for lists only, as the last key. */
export function successEnvelope({ data, total }: { data: unknown; total?: number | undefined }): SuccessEnvelope {
  return total === undefined ? { error: 0, messages: [], data } : { error: 0, messages: [], data, total };
}

/** The same envelope for every fault; what differs is its messages. */
export function faultEnvelope(fault: Pick<DomainError, 'messages'>): FaultEnvelope {
  return { error: 1, messages: fault.messages };
}
