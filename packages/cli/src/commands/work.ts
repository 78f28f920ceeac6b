import { itemsOf, type ItemOf } from '@compliance-gateway/client';
import { UsageError } from '../errors.js';
import { type Command } from '../command.js';
import { minute } from '../output.js';

const LIST = '/api/v1/v-ciso/work';
/** Limit of the controls and reviews in the list. */
const MOST = 1000;

export const due: Command = {
  name: 'due',
  summary: 'List what is due in all of your organizations, the earliest first',
  usage: '',
  options: {
    mine: { help: 'only what is assigned to you' },
    before: { value: 'TIME', help: 'only what is due before this time, such as 2026-12-01' },
  },
  async run(context, given) {
    given.arguments();
    const before = given.text('before');
    const query = {
      assignee: given.has('mine') ? ('ME' as const) : ('ANYONE' as const),
      ...(before !== undefined && { due_before: timeIn(before, '--before') }),
    };
    const items: ItemOf<typeof LIST>[] = [];
    for await (const item of itemsOf(await context.client(), LIST, { query })) items.push(item);
    context.output.table(items, {
      due: ({ due_at, report, overdue }) =>
        `${minute(due_at)}${report?.extended_to ? `, until ${minute(report.extended_to)}` : ''}${overdue ? ' OVERDUE' : ''}`,
      organization: ({ organization }) => organization.name,
      kind: ({ kind }) => kind,
      title: ({ title, report }) => (report === null ? title : `${title} (${report.regime_id} ${stageWords(report)})`),
    });
    if (items.filter(({ kind }) => kind !== 'REPORT').length >= MOST)
      context.output.note('The controls and reviews are the 1,000 earliest: there may be more');
  },
};

/** `INTERMEDIATE_REPORT 2`: stages are numbered from the second report on. */
export function stageWords({ stage, number }: { stage: string; number: number }): string {
  return number === 1 ? stage : `${stage} ${number}`;
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A day begins in UTC and a time has its offset, so that both mean the same on every machine. */
export function timeIn(text: string, name: string): string {
  const [, day = ''] = TIME.exec(text) ?? [];
  const time = new Date(text);
  if (!isDay(day) || Number.isNaN(time.getTime()))
    throw new UsageError(`${name} is a day or a time such as 2026-12-01 or 2026-12-01T08:00:00Z, not "${text}"`);
  return time.toISOString();
}

export function isDay(text: string): boolean {
  const begin = new Date(text);
  // `Date` turns February 30 into March 2.
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(text);
}
