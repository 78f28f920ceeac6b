import { dataOf, itemsOf, type components, type ItemOf, type paths } from '@compliance-gateway/client';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nameIn, numberIn } from '../given.js';
import { ORGANIZATION, type Command } from '../command.js';
import { save } from '../files.js';
import { UsageError } from '../errors.js';
import { minute } from '../output.js';
import { FACT_DETAILS, FACT_OPTIONS, factLines, factsIn, isYes } from './incident-facts.js';
import { stageWords, timeIn } from './work.js';

type Incident = components['schemas']['Incident'];
type Update = components['schemas']['UpdateIncidentInput'];
type Draft = components['schemas']['IncidentReportDraft'];

const LIST = '/api/v1/v-ciso/incidents/{organizationid}';
const ONE = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}';
const DRAFT = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regimeid}/{stage}/draft';
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
    rehearsal: { help: 'it is a rehearsal, in a sandbox' },
    ...FACT_OPTIONS,
    ...ORGANIZATION,
  },
  details: FACT_DETAILS,
  async run(context, given) {
    given.arguments();
    const [description, awareAt] = [given.text('description'), given.text('aware-at')];
    const body = {
      title: given.required('title'),
      severity: given.required('severity').toUpperCase() as Incident['severity'],
      ...(given.has('significant') && { significant: true }),
      ...(given.has('rehearsal') && { rehearsal: true }),
      ...(description !== undefined && { description }),
      ...(awareAt !== undefined && { aware_at: timeIn(awareAt, '--aware-at') }),
      ...factsIn(given),
    };
    const organizationid = await context.organization();
    const client = await context.client();
    const incident = await dataOf(client.POST(LIST, { params: { path: { organizationid } }, body }));
    context.output.result(incident, words(incident));
  },
};

export const incidentUpdate: Command = {
  name: 'incident update',
  summary: 'Change what is known of an incident, and show the reports that it owes',
  usage: 'INCIDENT',
  options: {
    title: { value: 'TEXT', help: 'what happened, in one line' },
    description: { value: 'TEXT', help: 'what happened, at length' },
    severity: { value: 'SEVERITY', help: 'LOW, MEDIUM, HIGH or CRITICAL' },
    status: { value: 'STATUS', help: 'OPEN, CONTAINED or RESOLVED' },
    significant: { value: 'ANSWER', help: 'whether it is significant: yes or no' },
    'aware-at': { value: 'TIME', help: 'since when you know of it' },
    reason: { value: 'TEXT', help: 'why a report may be sent later or not at all: required where it may' },
    ...FACT_OPTIONS,
    ...ORGANIZATION,
  },
  details: FACT_DETAILS,
  async run(context, given) {
    const [id] = given.arguments('INCIDENT');
    const body: Update = factsIn(given);
    const [awareAt, significant] = [given.text('aware-at'), given.text('significant')];
    for (const field of ['title', 'description', 'reason'] as const) {
      const text = given.text(field);
      if (text !== undefined) body[field] = text;
    }
    const [severity, status] = [given.text('severity')?.toUpperCase(), given.text('status')?.toUpperCase()];
    if (severity !== undefined) body.severity = severity as Incident['severity'];
    if (status !== undefined) body.status = status as NonNullable<Update['status']>;
    if (awareAt !== undefined) body.aware_at = timeIn(awareAt, '--aware-at');
    if (significant !== undefined) body.significant = isYes(significant, '--significant');
    const incidentid = numberIn(id, 'INCIDENT');
    if (Object.keys(body).length === 0) throw new UsageError('It takes what to change, such as --occurred-at TIME');
    const organizationid = await context.organization();
    const client = await context.client();
    const incident = await dataOf(client.PATCH(ONE, { params: { path: { organizationid, incidentid } }, body }));
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
    const query = { ...(status !== undefined && { status }), ...(severity !== undefined && { severity }) } as Filter;
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
    const call = (await context.client()).GET(ONE, { params: { path: { organizationid, incidentid } } });
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
    const [id, regimeid, stage] = given.arguments('INCIDENT', 'REGIME', 'STAGE');
    const [format, number, file] = [given.text('format') ?? 'text', given.number('number'), given.text('output')];
    if (!FORMATS.includes(format)) throw new UsageError(`--format is ${FORMATS.join(', ')}, not "${format}"`);
    if (format === 'text' && file !== undefined) throw new UsageError('--output is for html and pdf');
    if (format !== 'text' && file === undefined && given.has('json'))
      throw new UsageError(`--json is for text: add --output FILE for ${format}`);
    const incidentid = numberIn(id, 'INCIDENT');
    nameIn(regimeid, 'REGIME');
    nameIn(stage, 'STAGE');
    const organizationid = await context.organization();
    const client = await context.client();
    const query = number === undefined ? {} : { number };
    if (format === 'text') {
      const path = { organizationid, incidentid, regimeid, stage: stage.toUpperCase() as Stage };
      const draft = await dataOf(client.GET(DRAFT, { params: { path, query } }));
      return context.output.result(draft, draftWords(draft));
    }
    if (file === undefined && process.stdout.isTTY && format === 'pdf')
      throw new UsageError('A terminal shows no PDF: add --output FILE');
    const names = [regimeid, stage.toUpperCase()].map(encodeURIComponent).join('/');
    const search = number === undefined ? '' : `?number=${number}`;
    const address = `/api/v1/v-ciso/incidents/${organizationid}/${incidentid}/reports/${names}/draft.${format}${search}`;
    const request = () => client.send(address);
    if (file === undefined) return pipeline(Readable.fromWeb((await request()).body!), process.stdout, { end: false });
    await save(file, request, () => undefined);
    context.output.result({ file }, `The draft is in ${file}`);
  },
};

function words(incident: Incident): string {
  const { id, title, severity, status, significant, aware_at, rehearsal = false, clock } = incident;
  const facts = [...(rehearsal ? ['  rehearsal: yes'] : []), ...factLines(incident)];
  const stages = clock.stages.map((each) => `  ${each.regime_id} ${stageWords(each)}: ${each.state}${dueWords(each)}`);
  return [
    `Incident ${id}: ${title}`,
    `${severity}, ${status}, ${significant ? 'significant' : 'not significant'}, known since ${minute(aware_at)}`,
    ...(facts.length > 0 ? ['Facts:', ...facts] : []),
    ...(stages.length > 0 ? ['Reports:', ...stages] : ['It owes no report']),
  ].join('\n');
}

function dueWords({ due_at, extended_to }: Pick<Draft, 'due_at' | 'extended_to'>): string {
  const due = due_at === null ? '' : `, due ${minute(due_at)}`;
  return extended_to === null ? due : `${due}, may be sent until ${minute(extended_to)}`;
}

function draftWords({ fields, missing, sandbox = false, ...draft }: Draft): string {
  const lines = fields.map(({ label, value, missing }) => `${label}: ${missing ? '(missing)' : (value ?? '')}`);
  return [
    ...(sandbox ? ['For practice only: this is about a sandbox and must not be sent', ''] : []),
    `${stageWords(draft)} of ${draft.regime_name}, to ${draft.recipient}${dueWords(draft)}`,
    '',
    ...lines,
    '',
    missing.length === 0 ? 'Nothing is missing' : `Missing: ${missing.join(', ')}`,
  ].join('\n');
}
