import { dataOf, itemsOf, type components, type ItemOf, type paths } from '@compliance-gateway/client';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { numberIn } from '../given.js';
import { ORGANIZATION, type Command } from '../command.js';
import { UsageError } from '../errors.js';
import { minute } from '../output.js';
import { timeIn } from './work.js';

type Incident = components['schemas']['Incident'];
type Draft = components['schemas']['IncidentReportDraft'];

const LIST = '/api/v1/v-ciso/incidents/{organizationid}';
const DRAFT = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft';
type Filter = NonNullable<paths[typeof LIST]['get']['parameters']['query']>;
type Stage = paths[typeof DRAFT]['get']['parameters']['path']['stage'];

export const incidentOpen: Command = {
  name: 'incident open',
  summary: 'Open an incident, and show the reports that it owes',
  usage: '--title TEXT --severity SEVERITY',
  options: {
    title: { value: 'TEXT', help: 'what happened, in one line' },
    severity: { value: 'SEVERITY', help: 'LOW, MEDIUM, HIGH or CRITICAL' },
    significant: { help: 'it is significant: the deadlines of the law begin' },
    description: { value: 'TEXT', help: 'what happened, at length' },
    'aware-at': { value: 'TIME', help: 'since when you know of it; now when absent' },
    ...ORGANIZATION,
  },
  async run(context, given) {
    given.arguments();
    const [description, awareAt] = [given.text('description'), given.text('aware-at')];
    const body = {
      title: given.required('title'),
      severity: given.required('severity').toUpperCase() as Incident['severity'],
      ...(given.has('significant') && { significant: true }),
      ...(description !== undefined && { description }),
      ...(awareAt !== undefined && { aware_at: timeIn(awareAt, '--aware-at') }),
    };
    const organizationid = await context.organization();
    const client = await context.client();
    const incident = await dataOf(client.POST(LIST, { params: { path: { organizationid } }, body }));
    context.output.result(incident, words(incident));
  },
};

export const incidentList: Command = {
  name: 'incident list',
  summary: 'List the incidents of an organization, the newest first',
  usage: '',
  options: {
    status: { value: 'STATUS', help: 'only those that are OPEN, CONTAINED, RESOLVED or CLOSED' },
    severity: { value: 'SEVERITY', help: 'only those that are LOW, MEDIUM, HIGH or CRITICAL' },
    ...ORGANIZATION,
  },
  async run(context, given) {
    given.arguments();
    const [status, severity] = [given.text('status')?.toUpperCase(), given.text('severity')?.toUpperCase()];
    const query = { ...(status && { status }), ...(severity && { severity }) } as Filter;
    const params = { path: { organizationid: await context.organization() }, query };
    const incidents: ItemOf<typeof LIST>[] = [];
    for await (const incident of itemsOf(await context.client(), LIST, params)) incidents.push(incident);
    context.output.table(incidents, {
      id: ({ id }) => String(id),
      severity: ({ severity }) => severity,
      status: ({ status }) => status,
      significant: ({ significant }) => (significant ? 'yes' : 'no'),
      'aware at': ({ aware_at }) => minute(aware_at),
      title: ({ title }) => title,
    });
  },
};

export const incidentShow: Command = {
  name: 'incident show',
  summary: 'Show an incident and the reports that it owes',
  usage: 'INCIDENT',
  options: ORGANIZATION,
  async run(context, given) {
    const [id] = given.arguments('INCIDENT');
    const incidentid = numberIn(id, 'INCIDENT');
    const organizationid = await context.organization();
    const call = (await context.client()).GET('/api/v1/v-ciso/incidents/{organizationid}/{incidentid}', {
      params: { path: { organizationid, incidentid } },
    });
    const incident = await dataOf(call);
    context.output.result(incident, words(incident));
  },
};

const FORMATS = ['text', 'html', 'pdf'];

export const reportDraft: Command = {
  name: 'report draft',
  summary: 'Fill a report of an incident with what is known, and name what is missing',
  usage: 'INCIDENT REGIME STAGE',
  options: {
    number: { value: 'N', help: 'which of the reports of the stage; the last one when absent' },
    format: { value: 'FORMAT', help: 'text, html or pdf; text when absent' },
    output: { value: 'FILE', help: 'write it there; html and pdf go to the standard output when absent' },
    ...ORGANIZATION,
  },
  details: `"compliance incident show INCIDENT" lists REGIME and STAGE of each report, such as nis2-it EARLY_WARNING. It changes
nothing: file the report with the authority, and record it in the gateway.`,
  async run(context, given) {
    const [id, regime_id, stage] = given.arguments('INCIDENT', 'REGIME', 'STAGE');
    const [format, number, file] = [given.text('format') ?? 'text', given.number('number'), given.text('output')];
    if (!FORMATS.includes(format)) throw new UsageError(`--format is ${FORMATS.join(', ')}, not "${format}"`);
    if (format === 'text' && file !== undefined) throw new UsageError('--output is for html and pdf');
    const incidentid = numberIn(id, 'INCIDENT');
    const organizationid = await context.organization();
    const client = await context.client();
    const query = number === undefined ? {} : { number };
    if (format === 'text') {
      const path = { organizationid, incidentid, regime_id, stage: stage.toUpperCase() as Stage };
      const draft = await dataOf(client.GET(DRAFT, { params: { path, query } }));
      return context.output.result(draft, draftWords(draft));
    }
    if (file === undefined && process.stdout.isTTY && format === 'pdf')
      throw new UsageError('A terminal shows no PDF: add --output FILE');
    const names = [regime_id, stage.toUpperCase()].map(encodeURIComponent).join('/');
    const search = number === undefined ? '' : `?number=${number}`;
    const address = `/api/v1/v-ciso/incidents/${organizationid}/${incidentid}/reports/${names}/draft.${format}${search}`;
    const { body } = await client.send(address);
    if (file === undefined) return pipeline(Readable.fromWeb(body!), process.stdout, { end: false });
    await pipeline(Readable.fromWeb(body!), createWriteStream(file));
    context.output.result({ file }, `The draft is in ${file}`);
  },
};

function words({ id, title, severity, status, significant, aware_at, clock }: Incident): string {
  const stages = clock.stages.map(
    ({ regime_id, stage, state, due_at }) =>
      `  ${regime_id} ${stage}: ${state}${due_at === null ? '' : `, due ${minute(due_at)}`}`,
  );
  return [
    `Incident ${id}: ${title}`,
    `${severity}, ${status}, ${significant ? 'significant' : 'not significant'}, known since ${minute(aware_at)}`,
    ...(stages.length > 0 ? ['Reports:', ...stages] : ['It owes no report']),
  ].join('\n');
}

function draftWords({ regime_name, stage, recipient, due_at, fields, missing }: Draft): string {
  const lines = fields.map(({ label, value, missing }) => `${label}: ${missing ? '(missing)' : (value ?? '')}`);
  return [
    `${stage} of ${regime_name}, to ${recipient}${due_at === null ? '' : `, due ${minute(due_at)}`}`,
    '',
    ...lines,
    '',
    missing.length === 0 ? 'Nothing is missing' : `Missing: ${missing.join(', ')}`,
  ].join('\n');
}
