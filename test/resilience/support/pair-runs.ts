import {
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { TestGateway } from '../../support/gateway.js';
import { CALLS } from './pair-calls.js';
import { SCENARIOS } from './pair-scenarios.js';
import {
  mark,
  namesLeft,
  normalised,
  recordedSince,
  replayDefect,
  rowsAround,
  storedState,
  textOf,
} from './pair-state.js';
import { buildFixture, type Fixture } from './pair-fixture.js';
import { asSide, doneOrBlocked, Stepped } from './stepped-requests.js';

export type Pair = readonly [one: string, other: string];
type Side = 0 | 1;

/** Sequential, both in the same tick, or one paused before a statement until the other is done or waits for it. */
export type Order = { kind: 'in turn' | 'same tick'; first: Side } | { kind: 'held'; held: Side; before: number };

/** The outcome of two operations, without values that differ between runs. */
export interface Outcome {
  answers: readonly [one: string, other: string];
  state: Readonly<Record<string, readonly string[]>>;
  entries: readonly string[];
  /** Rows that name the erased user, or the differences between the replayed and the stored state. */
  defect: object | undefined;
  statements: readonly [one: readonly string[], other: readonly string[]];
}

/** Fields that depend on others, on the reader, or on the other operation's entries. */
const LEFT_OUT =
  /^(?:asOf|clock|lastUsedAt|oscal\w*|organization|position|number|previous|progress|proofUrl|state|viewer\w+|weeklyReport)$/;

/** A document for a mutation that selects the scalar fields of the changed object. */
export function documentOf(gateway: TestGateway, name: string): string {
  const { args, type } = gateway.app.executor.schema.getMutationType()!.getFields()[name]!;
  const selected = `{ ${selectionOf(type, 1) || '__typename'} }`;
  return args[0] === undefined
    ? `mutation { ${name} ${selected} }`
    : `mutation ($input: ${args[0].type}) { ${name}(input: $input) ${selected} }`;
}

export function selectionOf(type: GraphQLOutputType, depth: number): string {
  const fields = Object.values((getNamedType(type) as GraphQLObjectType).getFields()).flatMap((field) => {
    if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return [];
    if (depth === 0 && LEFT_OUT.test(field.name)) return [];
    const below = getNamedType(field.type);
    if (isScalarType(below) || isEnumType(below)) return [field.name];
    if (!isObjectType(below) || depth === 0 || /(?:Connection|Edge)$/.test(below.name)) return [];
    const inner = selectionOf(below, depth - 1);
    return inner === '' ? [] : [`${field.name} { ${inner} }`];
  });
  return fields.join(' ');
}

let runs = 0;

/** Runs pairs on two instances of one database. */
export class PairRuns {
  constructor(private readonly instances: readonly [TestGateway, TestGateway]) {}

  /** Runs two operations in a separate organization. */
  async run(pair: Pair, order: Order): Promise<Outcome> {
    const fixture = await buildFixture(this.instances[0]);
    for (const name of new Set(pair)) await (CALLS[name] ?? SCENARIOS[name]!).prepare?.(fixture);
    const from = await mark(fixture);
    const number = (runs += 1);
    const sides = ([0, 1] as const).map(
      (side) => new Stepped(order.kind === 'held' && order.held === side ? order.before : undefined),
    ) as [Stepped, Stepped];
    const begin = (side: Side) =>
      asSide(`${number}-${side}`, sides[side], (headers) => {
        const gateway = this.instances[side];
        const call = CALLS[pair[side]];
        if (call === undefined) return callScenario(gateway, pair[side], fixture, headers);
        if (call.isRepeated) sides[side].begin();
        return call.call(fixture, gateway, headers).then((answer) => textOf(normalised(fixture, answer)));
      });
    const answers: [string, string] = ['', ''];
    if (order.kind === 'held') {
      const other = (1 - order.held) as Side;
      const one = begin(order.held);
      await Promise.race([sides[order.held].reached, one]);
      const two = begin(other);
      await doneOrBlocked(this.instances[0].app.database, two);
      sides[order.held].release();
      [answers[order.held], answers[other]] = await Promise.all([one, two]);
    } else {
      const [first, second] = order.first === 0 ? ([0, 1] as const) : ([1, 0] as const);
      const one = begin(first);
      if (order.kind === 'in turn') await one;
      const two = begin(second);
      [answers[first], answers[second]] = await Promise.all([one, two]);
    }
    for (const name of pair) if (CALLS[name]?.isRepeated) await CALLS[name].call(fixture, this.instances[0], {});
    const rows = await rowsAround(fixture);
    return {
      answers,
      state: storedState(fixture, rows),
      entries: (await recordedSince(fixture, from)).map((entry) => textOf(entry)).toSorted(),
      defect: namesLeft(fixture, rows) ?? (await replayDefect(fixture, from)),
      statements: [sides[0].statements, sides[1].statements],
    };
  }
}

const documents = new Map<string, string>();

/** Runs the operation of a scenario and returns its response, without values that differ between runs. */
export async function callScenario(
  gateway: TestGateway,
  name: string,
  fixture: Fixture,
  headers: Record<string, string>,
): Promise<string> {
  const { by, input, file } = SCENARIOS[name]!;
  const { graphql } = gateway;
  const mutation = name.split(':')[0]!;
  const document = documents.get(mutation) ?? documentOf(gateway, mutation);
  documents.set(mutation, document);
  const token = by === 'anonymous' ? undefined : fixture.people[by].token;
  const variables = { ...(input && { input: { ...input(fixture), ...(file && { file: null }) } }) };
  const part = file && { name: file.filename, type: file.contentType, bytes: file.bytes };
  const answer = await (part === undefined
    ? graphql.call(document, { ...(token && { token }), variables, headers })
    : graphql.uploadAll(document, variables, [['variables.input.file', part]], token, headers));
  const [error] = answer.body.errors ?? [];
  if (error === undefined) return textOf(normalised(fixture, answer.body.data));
  const { code, reason, messages } = error.extensions;
  return textOf(normalised(fixture, { code, reason, messages }));
}

/**
 * Statements before which one is paused: the begin of its transaction, the second one of it, its entry, and the end.
 */
export function places(statements: readonly string[]): number[] {
  const begin = statements.findIndex((text) => text.startsWith('begin'));
  // Its locks (src/database/change-locks.ts) are sent with its begin.
  const opening = /advisory_xact_lock_shared/.test(statements[begin + 1] ?? '') ? 2 : 0;
  const entry = statements.findIndex((text) => /insert into "?audit_log/.test(text));
  const commit = statements.lastIndexOf('commit');
  const found = begin < 0 ? [statements.length - 1] : [begin, begin + opening + 2, entry, commit];
  return [...new Set(found)].filter((index) => index > 0 && index < statements.length);
}

/** The defect of an outcome that neither order gives; otherwise undefined. */
export function defectOf(outcome: Outcome, orders: readonly Outcome[]): object | undefined {
  const { answers, defect } = outcome;
  if (answers.some((answer) => /"code":"(?:INTERNAL|UNAVAILABLE)"/.test(answer))) return { answers };
  // Only if the orders replay: the state that a single operation records is tested elsewhere.
  if (defect !== undefined && orders.every((each) => each.defect === undefined)) return { defect };
  // A revoked right may be used for a second (docs/adr/0004): an operation begun with it may succeed.
  if (orders.some((each) => each.answers.some((answer) => LOST.test(answer)))) return undefined;
  const isOne = orders.some((each) => textOf(rowsOf(each)) === textOf(rowsOf(outcome)));
  // A response may be read after the other one was done.
  const areTheirs = answers.every((answer, side) => orders.some((each) => each.answers[side] === answer));
  if (isOne && areTheirs) return undefined;
  return { answers, orders: orders.map((each) => difference(outcome, each)) };
}

const LOST = /"code":"(?:NOT_FOUND|FORBIDDEN|UNAUTHENTICATED)"/;

const rowsOf = ({ state, entries }: Outcome): Record<string, readonly string[]> => ({ ...state, entries });

function difference(one: Outcome, other: Outcome): object {
  const [rows, others] = [rowsOf(one), rowsOf(other)];
  const found = Object.keys({ ...rows, ...others }).map((table) => {
    const [here, there] = [rows[table] ?? [], others[table] ?? []];
    return [table, { more: minus(here, there), instead: minus(there, here) }] as const;
  });
  const rest = found.filter(([, { more, instead }]) => more.length + instead.length > 0);
  return { answers: other.answers, ...Object.fromEntries(rest) };
}

function minus(rows: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return rows.filter((row) => {
    const index = left.indexOf(row);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
