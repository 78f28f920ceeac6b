import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import type { Contact } from '../../src/entities/organizations.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { postedMails, postWeeklyReports } from '../support/jobs.js';
import { titlesOf } from '../support/people.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const STAGES = 'clock { stages { regime_id: regimeId stage number state late due_at: dueAt } }';
const INCIDENTS = '/api/v1/v-ciso/incidents/{organization_id}';

/** The payload of a change of an incident. */
const CHANGED = 'incident { id: databaseId }';

const OPERATIONS = {
  open: mutation(`POST ${INCIDENTS}`, 'openIncident', CHANGED),
  record: mutation(`POST ${INCIDENTS}/{incident_id}/reports`, 'recordIncidentReport', CHANGED),
  update: mutation(`PATCH ${INCIDENTS}/{incident_id}`, 'updateIncident', CHANGED),
  close: mutation(`POST ${INCIDENTS}/{incident_id}/close`, 'closeIncident', CHANGED),
  read: {
    rest: `GET ${INCIDENTS}/{incident_id}`,
    graphql: `query ($organizationId: ID!, $incidentId: ID!) {
      incident(organizationId: $organizationId, id: $incidentId) { ${STAGES} } }`,
    at: 'incident',
  },
  overview: {
    rest: 'GET /api/v1/v-ciso/overview',
    graphql: `{ portfolio { totalCount nodes {
      incidents { overdue } next_deadline: nextDeadline { regime_id: regimeId stage number state due_at: dueAt } } } }`,
    at: 'portfolio',
  },
  work: {
    rest: 'GET /api/v1/v-ciso/work',
    graphql: `{ work { totalCount nodes {
      overdue report { regime_id: regimeId stage number state due_at: dueAt } } } }`,
    at: 'work',
  },
} satisfies Record<string, Operation>;

/** Names of reports in the tables below. */
const REPORTS: Readonly<Record<string, readonly [regime: string, stage: string, number: number, mailed: string]>> = {
  G: ['gdpr', 'NOTIFICATION', 1, 'notification (GDPR)'],
  W: ['nis2-it', 'EARLY_WARNING', 1, 'early warning (NIS 2, Italy)'],
  N: ['nis2-it', 'NOTIFICATION', 1, 'notification (NIS 2, Italy)'],
  P1: ['nis2-it', 'PROGRESS_REPORT', 1, 'progress report (NIS 2, Italy)'],
  P2: ['nis2-it', 'PROGRESS_REPORT', 2, 'progress report 2 (NIS 2, Italy)'],
  P3: ['nis2-it', 'PROGRESS_REPORT', 3, 'progress report 3 (NIS 2, Italy)'],
  F: ['nis2-it', 'FINAL_REPORT', 1, 'final report (NIS 2, Italy)'],
  E: ['eidas', 'NOTIFICATION', 1, 'notification (eIDAS, trust services)'],
  C: ['eidas', 'COMMUNICATION', 1, 'communication (eIDAS, trust services)'],
};

/** `?` means that the start of its deadline is unknown. */
const STATES: Readonly<Record<string, string>> = {
  ...{ '?': 'PENDING', '-': 'PENDING', '!': 'DUE_SOON', X: 'OVERDUE', '+': 'SENT', '*': 'SENT late' },
};

interface Story {
  facts: object;
  /** Weekly reports that are posted meanwhile. */
  weeks: number;
  /** The deadline of each report, once it has one. */
  due: Readonly<Record<string, string>>;
  /** States of reports from an instant on, the action at that instant, and the resulting notifications and mails. */
  table: readonly (readonly [from: string, done: string, states: string, ...reminders: string[]])[];
  until: string;
}

const RANSOMWARE: Story = {
  facts: { title: 'Ransomware', severity: 'CRITICAL', personal_data_concerned: true, category: 'IS-3' },
  weeks: 17,
  due: {
    G: '2026-08-31T10:00:00.000Z',
    W: '2026-08-29T10:00:00.000Z',
    N: '2026-08-31T10:00:00.000Z',
    // A month after 31 August at eleven in Rome, and two, which is after summer time.
    P1: '2026-09-30T09:00:00.000Z',
    P2: '2026-10-31T10:00:00.000Z',
    P3: '2026-11-30T10:00:00.000Z',
    F: '2026-12-06T10:00:00.000Z',
  },
  table: [
    ['2026-08-28T10:00:00.000Z', 'open', 'G- W- N- F?'],
    ['2026-08-29T04:00:00.000Z', '', 'G- W! N- F?', 'Early warning (NIS 2, Italy) due soon'],
    ['2026-08-29T09:00:00.000Z', 'W', 'G- W+ N- F?'],
    [
      '2026-08-30T10:00:00.000Z',
      '',
      'G! W+ N! F?',
      'Notification (GDPR) due soon',
      'Notification (NIS 2, Italy) due soon',
    ],
    ['2026-08-30T20:00:00.000Z', 'G', 'G+ W+ N! F?'],
    ['2026-08-31T09:00:00.000Z', 'N', 'G+ W+ N+ P1- F?'],
    ['2026-09-23T09:00:00.000Z', '', 'G+ W+ N+ P1! F?', 'Progress report (NIS 2, Italy) due soon'],
    ['2026-09-29T15:00:00.000Z', 'P1', 'G+ W+ N+ P1+ P2- F?'],
    ['2026-10-24T10:00:00.000Z', '', 'G+ W+ N+ P1+ P2! F?', 'Progress report 2 (NIS 2, Italy) due soon'],
    ['2026-10-30T15:00:00.000Z', 'P2', 'G+ W+ N+ P1+ P2+ P3- F?'],
    ['2026-11-06T10:00:00.000Z', 'handled', 'G+ W+ N+ P1+ P2+ F-'],
    ['2026-11-29T10:00:00.000Z', '', 'G+ W+ N+ P1+ P2+ F!', 'Final report (NIS 2, Italy) due soon'],
    ['2026-12-04T15:00:00.000Z', 'F', 'G+ W+ N+ P1+ P2+ F+'],
    ['2026-12-05T12:00:00.000Z', 'close', 'G+ W+ N+ P1+ P2+ F+'],
  ],
  until: '2026-12-16T12:00:00.000Z',
};

/** The same company as a trust service provider, which reports to the CSIRT eight days late. */
const TRUST_SERVICE: Story = {
  facts: { title: 'Signatures down', severity: 'HIGH', affects_trust_service: true },
  weeks: 6,
  due: {
    E: '2026-12-21T08:00:00.000Z',
    C: '2026-12-21T08:00:00.000Z',
    W: '2026-12-21T08:00:00.000Z',
    N: '2026-12-21T08:00:00.000Z',
    P1: '2027-01-29T08:30:00.000Z',
    F: '2027-01-29T08:30:00.000Z',
  },
  table: [
    ['2026-12-20T08:00:00.000Z', 'open', 'E- C- W- N- F?'],
    ['2026-12-20T08:10:00.000Z', 'E', 'E+ C- W- N- F?'],
    ['2026-12-20T08:20:00.000Z', 'C', 'E+ C+ W- N- F?'],
    [
      '2026-12-21T02:00:00.000Z',
      '',
      'E+ C+ W! N! F?',
      'Early warning (NIS 2, Italy) due soon',
      'Notification (NIS 2, Italy) due soon',
    ],
    [
      '2026-12-21T08:00:00.001Z',
      '',
      'E+ C+ WX NX F?',
      'Early warning (NIS 2, Italy) overdue',
      'Notification (NIS 2, Italy) overdue',
    ],
    ['2026-12-29T08:00:00.000Z', 'W', 'E+ C+ W* NX F?'],
    ['2026-12-29T08:30:00.000Z', 'N', 'E+ C+ W* N* P1- F?'],
    ['2026-12-29T10:00:00.000Z', 'handled', 'E+ C+ W* N* F-'],
    ['2027-01-22T08:30:00.000Z', '', 'E+ C+ W* N* F!', 'Final report (NIS 2, Italy) due soon'],
    ['2027-01-28T08:00:00.000Z', 'F', 'E+ C+ W* N* F+'],
    ['2027-01-28T09:00:00.000Z', 'close', 'E+ C+ W* N* F+'],
  ],
  until: '2027-01-31T12:00:00.000Z',
};

const contactOf = (email: string): Contact => ({ name: '', role: '', email, phone: '', emailReport: true });

let now = new Date(RANSOMWARE.table[0]![0]);

const gateway = await startSharedGateway({ now: () => now });

const sql = (text: string, values: unknown[]) => gateway.app.database.rows(text, values);

async function buildCompany(name: string): Promise<{ organizationId: number; officer: Person }> {
  const organizationId = await buildOrganization(gateway.app.database, name);
  const officer = await buildPerson(gateway.app.database, 'officer');
  await join(gateway.app.database, officer, organizationId, 'SECURITY_OFFICER');
  await sql('update app_user set email_verified_at = now() where id = $1', [officer.id]);
  await sql(
    `update organization set country = 'IT', time_zone = 'Europe/Rome', nis2_sector = 'Energia - Gas', contacts = $2,
            created_at = '2026-01-01', report_weekday = 1,
            compliance_frameworks = '[{"value": "NIS2", "fields": {"entity_type": "important"}}]' where id = $1`,
    [organizationId, JSON.stringify([contactOf(`${name}@example.com`)])],
  );
  return { organizationId, officer };
}

interface Report {
  key: string;
  state: string;
  dueAt: string | undefined;
}

/** The reports in a line of a table. */
function reportsOf({ due }: Story, states: string): Report[] {
  return states.split(' ').map((text) => {
    const [key, state] = [text.slice(0, -1), text.slice(-1)];
    return { key, state: STATES[state]!, dueAt: state === '?' ? undefined : due[key] };
  });
}

const lineOf = ({ key, state, dueAt }: Report) => [...REPORTS[key]!.slice(0, 3), state, dueAt ?? ''].join(' ');

/** The outstanding ones with a deadline, sorted by it. */
const owedOf = (reports: readonly Report[]) =>
  reports
    .filter(({ state, dueAt }) => !state.startsWith('SENT') && dueAt !== undefined)
    .toSorted((one, other) => one.dueAt!.localeCompare(other.dueAt!));

function weeklyLine(reports: readonly Report[]): string {
  const [next, ...others] = owedOf(reports);
  if (next === undefined) return 'no report with a deadline is outstanding';
  const local = DateTime.fromISO(next.dueAt!, { zone: 'Europe/Rome', locale: 'en-GB' }).toFormat(
    "d MMMM yyyy, HH:mm '(Europe/Rome, UTC'Z')'",
  );
  const [one, many] = ['1 more report is outstanding', `${others.length} more reports are outstanding`];
  const more = others.length === 0 ? '' : `, and ${others.length === 1 ? one : many}`;
  return `${REPORTS[next.key]![3]} ${next.state === 'OVERDUE' ? 'has been overdue since' : 'is due'} ${local}${more}`;
}

interface Stage extends Record<'regime_id' | 'stage' | 'state', string> {
  number: number;
  late?: boolean;
  due_at: string | null;
}

const line = ({ regime_id, stage, number, state, late, due_at }: Stage) =>
  [regime_id, stage, number, late ? `${state} late` : state, due_at ?? ''].join(' ');

describe.each(APIS)('through %s', (api) => {
  test('an incident of months shows each report as it is on every day, wherever it is shown', async () => {
    const name = `energia-${api.toLowerCase()}`;
    const { organizationId, officer } = await buildCompany(name);
    const call = (name: keyof typeof OPERATIONS, input: object = {}) =>
      callThrough(api, gateway, OPERATIONS[name], { ...input }, officer.token);
    const its = { organization_id: organizationId };
    let id = 0;

    const refuse = async () => {
      const record = (key: string) =>
        call('record', { ...its, incident_id: id, regime_id: 'nis2-it', stage: REPORTS[key]![1] });
      for (const key of ['N', 'P1', 'F']) expectConflict(await record(key), 'EARLIER_REPORT_MISSING');
      const before = new Date(now.getTime() - 1).toISOString();
      const refused = await call('update', { ...its, incident_id: id, handled_at: before, category: 'IS-4' });
      expectFailure(refused, 'BAD_USER_INPUT', [
        'handled_at must not be before aware_at',
        'category must be one of those of the regimes that apply (IS-1, IS-2, IS-3)',
      ]);
    };
    const act = async (done: string, facts: object) => {
      const incident = { ...its, incident_id: id };
      if (done === 'open') {
        id = dataOf(await call('open', { ...its, significant: true, ...facts })).id;
        await refuse();
      } else if (done === 'handled') dataOf(await call('update', { ...incident, handled_at: now.toISOString() }));
      else if (done === 'close') dataOf(await call('close', incident));
      else if (done !== '') {
        const [regime_id, stage] = REPORTS[done]!;
        dataOf(await call('record', { ...incident, regime_id, stage }));
      }
    };
    const expectShown = async (reports: readonly Report[]) => {
      const owed = owedOf(reports).map(lineOf);
      const { stages } = dataOf(await call('read', { ...its, incident_id: id })).clock as { stages: Stage[] };
      const [{ incidents, next_deadline }] = dataOf(await call('overview'));
      const work = dataOf(await call('work')) as { overdue: boolean; report: Stage }[];
      const overdue = owed.filter((each) => each.includes(' OVERDUE '));
      expect({
        at: now.toISOString(),
        clock: stages.filter(({ state }) => state !== 'NOT_REQUIRED' && state !== 'TO_BE_DECIDED').map(line),
        next: next_deadline && line(next_deadline),
        incidents: incidents.overdue,
        work: work.map(({ report }) => line(report)),
        overdue: work.filter((each) => each.overdue).map(({ report }) => line(report)),
      }).toEqual({
        at: now.toISOString(),
        clock: reports.map(lineOf),
        next: owed[0] ?? null,
        incidents: Math.min(overdue.length, 1),
        work: owedOf(reports.toSorted((one, other) => lineOf(one).localeCompare(lineOf(other)))).map(lineOf),
        overdue,
      });
    };

    const read = new Set<string>();
    const newMails = async (to: string): Promise<string[]> => {
      const mails = (await postedMails(gateway.app.database)).filter(
        (mail) => mail.recipient === to && !read.has(mail.id),
      );
      for (const mail of mails) read.add(mail.id);
      return mails.map(({ content }) => content!.text);
    };
    const DUE = /\) (due soon|overdue)$/;
    let heard = 0;
    /** The officer's notifications about deadlines. */
    const newReminders = async (): Promise<string[]> => {
      await gateway.app.jobs.run('incidentReminders.remind');
      const titles = (await titlesOf(gateway.app.database, officer)).filter((title) => DUE.test(title));
      return titles.slice(heard, (heard = titles.length));
    };
    const newDeadlineMails = async (): Promise<string[]> => {
      await settled(gateway.app.database, 'mails');
      const texts = await newMails(`${officer.username}@example.com`);
      return texts.flatMap((text) => text.split('\n').filter((each) => DUE.test(each)));
    };
    /** Weekly reports that are posted now say the same. */
    const expectWeekly = async (expected: string): Promise<number> => {
      await postWeeklyReports(gateway.app);
      const texts = await newMails(`${name}@example.com`);
      for (const text of texts)
        expect([now.toISOString(), text]).toEqual([now.toISOString(), expect.stringContaining(expected)]);
      return texts.length;
    };

    for (const story of [RANSOMWARE, TRUST_SERVICE]) {
      await sql('update organization set trust_service_provider = $2 where id = $1', [
        organizationId,
        story === TRUST_SERVICE,
      ]);
      let [weeks, early] = [0, [] as string[]];
      const { table, facts, until } = story;
      for (const [place, [from, done, states, ...reminders]] of table.entries()) {
        now = new Date(from);
        await act(done, facts);
        const reports = reportsOf(story, states);
        const isOpen = done !== 'close';
        await expectShown(reports);
        expect([from, [...early, ...(await newReminders())]]).toEqual([from, reminders]);
        weeks += await expectWeekly(isOpen ? weeklyLine(reports) : 'OPEN INCIDENTS (0)');
        const end = table[place + 1]?.[0] ?? until;
        for (
          let day = DateTime.fromISO(from, { zone: 'utc' }).set({ hour: 12, minute: 0 });
          ;
          day = day.plus({ days: 1 })
        ) {
          if (day.toMillis() <= now.getTime()) continue;
          if (day.toMillis() >= Date.parse(end)) break;
          now = day.toJSDate();
          await expectShown(reports);
          expect([now, await newReminders()]).toEqual([now, []]);
          weeks += await expectWeekly(isOpen ? weeklyLine(reports) : 'OPEN INCIDENTS (0)');
        }
        now = new Date(Date.parse(end) - 1);
        await expectShown(reports);
        early = await newReminders();
      }
      expect([weeks, early]).toEqual([story.weeks, []]);
      expect(await newDeadlineMails()).toEqual(table.flatMap(([, , , ...reminders]) => reminders));
    }
  });

  test('a category of a regime that applies no more is sent back as it was read, beside another change', async () => {
    now = new Date('2026-08-28T10:00:00.000Z');
    const { organizationId, officer } = await buildCompany(`category-${api.toLowerCase()}`);
    const call = (name: keyof typeof OPERATIONS, input: object) =>
      callThrough(api, gateway, OPERATIONS[name], { organization_id: organizationId, ...input }, officer.token);
    const facts = { title: 'Outage', severity: 'HIGH', significant: true, category: 'IS-3' };
    const { id } = dataOf(await call('open', facts));
    const change = (fields: object) => call('update', { incident_id: id, ...fields });
    dataOf(await change({ significant: false, reason: 'It lasted for a minute.' }));
    dataOf(await change({ ...facts, significant: false, title: 'Short outage' }));
    expectFailure(await change({ category: 'IS-1' }), 'BAD_USER_INPUT', [
      'category must be empty: no regime that applies has any',
    ]);
    const stored = await sql('select title, category from incident where id = $1', [id]);
    expect(stored).toEqual([{ title: 'Short outage', category: 'IS-3' }]);
  });
});
