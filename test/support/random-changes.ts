import * as fields from './changed-fields.js';
import { KINDS } from './device-kinds.js';
import { mailedSecrets } from './people.js';
import type { TestGateway } from './gateway.js';
import { buildPerson, type Person } from './test-data.js';
import { samples } from './sample-files.js';
import { multipart } from './rest.js';

/** An organization that was created through the API, and the objects created in it so far. */
export interface ChangedOrganization {
  id: number;
  owner: Person;
  members: Person[];
  incidents: number[];
  documents: number[];
  attachments: { incident: number; id: number }[];
  devices: { kind: 'cloud-defender' | 'atb'; id: number }[];
  attestations: string[];
  engagements: { id: number; auditor: Person }[];
}

/** A response of REST without names and addresses of former members, like a response as of the past. */
export function withoutFormer(answer: unknown, members: readonly Pick<Person, 'id'>[]): unknown {
  const still = new Set(members.map(({ id }) => id));
  return JSON.parse(JSON.stringify(answer), (_name, value: unknown) => {
    if (value === null || typeof value !== 'object' || !('username' in value && 'first_name' in value)) return value;
    const { user_id: userId, id = userId } = value as { id?: string; user_id?: string };
    if (still.has(id as string)) return value;
    return { ...value, ...('email' in value && { email: 'former@member.invalid' }), first_name: '', last_name: '' };
  });
}

/** Pseudorandom numbers from a seed, between 0 and 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const CONTROLS = ['20.2', '21.2.a', '21.2.b', '21.2.c'];

/** Creates an organization, and changes it randomly through REST. A change that the gateway rejects changes nothing. */
export class RandomChanges {
  /** Number of accepted changes of each kind. */
  readonly accepted = new Map<string, number>();
  private readonly refused = new Map<string, string>();

  private constructor(
    private readonly gateway: TestGateway,
    private readonly random: () => number,
    readonly organization: ChangedOrganization,
  ) {}

  static async begin(gateway: TestGateway, random: () => number, more: object = {}): Promise<RandomChanges> {
    const owner = await buildPerson(gateway.app.database, 'owner');
    const body = { name: 'Changed', sectors: ['Energy'], nis2_sector: 'Energia - Energia elettrica', ...more };
    const created = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    const organization = { id: created.body.data.id as number, owner, members: [] };
    const changes = new RandomChanges(gateway, random, {
      ...{
        ...organization,
        incidents: [],
        documents: [],
        attachments: [],
        devices: [],
        attestations: [],
        engagements: [],
      },
    });
    await changes.invite();
    await changes.associate();
    return changes;
  }

  /** Makes one change of each kind, and then as many random ones. */
  async run(times: number): Promise<void> {
    const all = this.ways();
    for (let n = 0; n < times; n += 1) {
      const way = n < all.length ? all[n] : this.pick(all);
      const { name } = way!;
      const { status, text } = await way!.call(this);
      if (status < 300) this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
      else this.refused.set(name, text);
    }
  }

  /** Random changes by several concurrent clients. Returns the number of accepted ones. */
  async runBeside(clients: number, times: number): Promise<number> {
    // These would remove the organization, or its owner, for the other clients.
    const ways = this.ways().filter((way) => ![this.deleteAndRestore, this.transfer].includes(way as never));
    let accepted = 0;
    const run = async () => {
      for (let n = 0; n < times; n += 1) {
        // An object of a change may be deleted between its lookup and the change.
        const answer = await this.pick(ways)
          .call(this)
          .catch((error: unknown) => {
            if (!(error instanceof TypeError)) throw error;
          });
        if (answer !== undefined && answer.status >= 500) throw new Error(answer.text);
        if (answer !== undefined && answer.status < 300) accepted += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, run));
    return accepted;
  }

  /** Kinds of changes of which none was accepted, with the last rejection. */
  neverAccepted(): (string | undefined)[][] {
    const names = new Set(this.ways().map(({ name }) => name));
    return [...names].filter((name) => !this.accepted.has(name)).map((name) => [name, this.refused.get(name)]);
  }

  /** A member erases itself. */
  async erase(person: Person) {
    const answer = await this.call('DELETE', `/api/v1/profile?username=${person.username}`, undefined, person);
    this.organization.members = this.organization.members.filter(({ id }) => id !== person.id);
    return answer;
  }

  async invite() {
    const person = await buildPerson(this.gateway.app.database, 'member');
    const email = `${person.username}@example.com`;
    const role = this.pick(['VIEWER', 'SECURITY_ANALYST', 'SECURITY_OFFICER', 'ORGANIZATION_MANAGER']);
    const sent = await this.call('POST', `/api/v1/organizations/${this.organization.id}/invitations`, { email, role });
    const [secret] = await mailedSecrets(this.gateway.app.database, email);
    if (secret === undefined) return sent;
    const joined = await this.call('POST', '/api/v1/invitations/accept', { secret }, person);
    if (joined.status < 300) this.organization.members.push(person);
    return joined;
  }

  private ways(): (() => Promise<{ status: number; text: string }>)[] {
    return [
      this.associate,
      this.profile,
      this.settings,
      this.branding,
      this.invite,
      this.control,
      this.open,
      this.upload,
      this.device,
      this.attach,
      this.report,
      this.report,
      this.correct,
      this.note,
      this.updateIncident,
      this.correct,
      this.describeDocument,
      this.updateDevice,
      this.rotate,
      this.status,
      this.wishes,
      this.control,
      this.updateIncident,
      this.changeMember,
      this.close,
      this.remove,
      this.leave,
      this.transfer,
      this.serviceAccount,
      this.attest,
      this.withdraw,
      this.engage,
      this.request,
      this.answer,
      this.signOff,
      this.extend,
      this.dismiss,
      this.assess,
      this.deleteAndRestore,
      this.logo,
      this.many,
      this.trim,
      this.imported,
    ];
  }

  private associate() {
    const path = `${this.vCiso()}/workflows`;
    if (this.organization.incidents.length > 0 && this.random() < 0.3)
      return this.call('DELETE', `${path}/iso-27001-2022`);
    const id = this.isFirst(this.associate) ? 'nis2-directive' : this.pick(['nis2-directive', 'iso-27001-2022']);
    return this.call('POST', path, { id });
  }

  private profile() {
    return this.call('PATCH', this.path(), { ...this.some(fields.PROFILE), contacts: fields.CONTACTS });
  }

  private settings() {
    return this.call('PATCH', `${this.path()}/settings`, this.some(fields.SETTINGS));
  }

  private branding() {
    return this.call('PUT', `${this.path()}/branding`, this.some(fields.BRANDING));
  }

  private control() {
    const status = this.pick(['TO_DO', 'IN_PROGRESS', 'DONE', 'NOT_APPLICABLE']);
    const owner = this.pick([null, this.organization.owner, ...this.organization.members]);
    const body = {
      ...{ status, justification: status === 'NOT_APPLICABLE' ? `Why ${this.number()}` : null },
      ...{ owner_id: owner?.id ?? null, ...this.some(fields.CONTROL) },
    };
    return this.call('PATCH', `${this.vCiso()}/workflows/nis2-directive/controls/${this.pick(CONTROLS)}`, body);
  }

  private async upload(person = this.someone(this.isFirst(this.upload))) {
    const path = `${this.vCiso()}/workflows/nis2-directive/documents/${this.pick(CONTROLS)}/versions`;
    const bytes = Buffer.from(`Text ${this.number()}`);
    const body = {
      ...{ filename: `f${this.number()}.txt`, content: bytes.toString('base64'), content_type: 'text/plain' },
    };
    const answer = await this.call('POST', path, body, person);
    if (answer.status === 201) this.organization.documents.push(answer.body.data.id);
    return answer;
  }

  private async describeDocument() {
    const id = await this.aDocument(this.isFirst(this.describeDocument));
    return this.call('PATCH', `${this.vCiso()}/documents/${id}`, this.some(fields.DOCUMENT));
  }

  /** A new member where one is required: others may be gone, or be named in signed statements. */
  private async aDocument(isNew: boolean): Promise<number> {
    const { documents, owner } = this.organization;
    if (!isNew) return this.pick(documents);
    await this.upload(owner);
    return documents.at(-1)!;
  }

  private async open() {
    const isFirst = this.isFirst(this.open);
    const significant = isFirst || this.random() < 0.6;
    const body = { title: `Incident ${this.number()}`, severity: this.pick(['LOW', 'CRITICAL']), significant };
    const answer = await this.call('POST', this.incidents(), body, this.someone(isFirst));
    if (answer.status === 201) this.organization.incidents.push(answer.body.data.id);
    return answer;
  }

  private updateIncident() {
    const body = {
      ...this.some(fields.INCIDENT),
      ...(this.random() < 0.5 && { status: this.pick(['OPEN', 'CONTAINED', 'RESOLVED']) }),
      // The known facts are later than the earliest one.
      aware_at: this.pick([fields.LONG_AGO, new Date(Date.now() - this.number() * 60).toISOString()]),
      reason: 'Found in the logs',
    };
    return this.call('PATCH', this.incident(), body);
  }

  private async assess() {
    const isFirst = this.isFirst(this.assess);
    if (isFirst) await this.unreported();
    else await this.open();
    const path = `${this.newestIncident()}/significance`;
    const { body } = await this.call('GET', path);
    const { services = [], questions = [] } = (body.data ?? {}) as fields.Significance;
    const service = this.pick(services)?.service;
    const applicable = questions.filter((each) => each.services.includes(service!));
    const answers = applicable.map(({ question }) => ({ question, answer: !isFirst && this.random() < 0.5 }));
    return this.call('POST', path, { services: [service], answers });
  }

  private async report() {
    const isFirst = this.isFirst(this.report);
    const found = isFirst ? await this.unreported() : await this.stage((state) => state !== 'SENT');
    const { incident, regime_id, stage } = found;
    const copy = this.organization.attachments.findLast((each) => each.incident === incident);
    const how = this.pick([
      ...[{}, {}, { not_due: true, reason: 'No effect' }, { attachment_id: copy?.id ?? null }],
      { recipient: 'Cafe\u0301', includes: stage === 'NOTIFICATION' ? ['EARLY_WARNING'] : [] },
    ]);
    const reference = this.pick([`R-${this.number()}`, ...fields.LINES]);
    const body = { regime_id, stage, reference, ...(!isFirst && how) };
    return this.call('POST', `${this.incidents()}/${incident}/reports`, body, this.someone(isFirst));
  }

  private async correct() {
    const isFirst = this.isFirst(this.correct);
    const found = isFirst ? await this.unreported() : await this.stage((state) => state === 'SENT');
    const { incident, regime_id, stage } = found;
    if (isFirst) await this.call('POST', `${this.incidents()}/${incident}/reports`, { regime_id, stage });
    const sent_at = this.random() < 0.4 ? null : new Date().toISOString();
    const said = this.some({ recipient: fields.LINES, reference: fields.LINES });
    const path = `${this.incidents()}/${incident}/reports/${regime_id}/${stage}`;
    return this.call('PATCH', path, { sent_at, ...said, reason: 'Wrong before' });
  }

  /** The first report of a new incident: it can be recorded and then corrected, independently of earlier changes. */
  private async unreported() {
    const body = { title: `Incident ${this.number()}`, severity: 'HIGH' };
    const opened = await this.call('POST', this.incidents(), body);
    const incident = opened.body.data.id as number;
    this.organization.incidents.push(incident);
    return { incident, regime_id: 'nis2', stage: 'EARLY_WARNING' };
  }

  /** A report in such a state, of any incident that has one. */
  private async stage(isWanted: (state: string) => boolean) {
    const { incidents } = this.organization;
    const first = Math.floor(this.random() * incidents.length);
    for (const incident of [...incidents.slice(first), ...incidents.slice(0, first)]) {
      const { body } = await this.call('GET', `${this.incidents()}/${incident}`);
      const { stages } = body.data.clock as { stages: { regime_id: string; stage: string; state: string }[] };
      const found = this.pick(stages.filter(({ state }) => isWanted(state)));
      if (found !== undefined) return { incident, ...found };
    }
    return { incident: 0, regime_id: 'nis2', stage: 'EARLY_WARNING' };
  }

  private note() {
    return this.call(
      'POST',
      `${this.incident()}/notes`,
      { text: this.pick([`Note ${this.number()}`, fields.LONG]) },
      this.someone(this.isFirst(this.note)),
    );
  }

  private async attach() {
    const incident = this.pick(this.organization.incidents);
    const file = { ...samples.TXT, filename: `a${this.number()}.txt` };
    const { body, headers } = multipart([
      { name: 'file', content: file.bytes, filename: file.filename, type: file.contentType },
    ]);
    const path = `${this.incidents()}/${incident}/attachments`;
    const { token } = this.someone(this.isFirst(this.attach));
    const answer = await this.gateway.rest.call('POST', path, { token, headers, body });
    if (answer.status === 201) this.organization.attachments.push({ incident, id: answer.body.data.id });
    return answer;
  }

  private close() {
    const step = this.pick(['close', 'reopen', 'rejudge']);
    return this.call('POST', `${this.incident()}/${step}`, step === 'reopen' ? undefined : { reason: 'It is over' });
  }

  private async device() {
    const kind = this.organization.devices.length === 0 ? 'atb' : this.pick(['cloud-defender', 'atb'] as const);
    const least = KINDS.find(({ segment }) => segment === kind)!.least;
    const body = { ...least, ...this.some(fields.DEVICES[kind]), organization_id: this.organization.id };
    const answer = await this.call('POST', `/api/v1/${kind}`, body);
    if (answer.status === 201) this.organization.devices.push({ kind, id: answer.body.data.id });
    return answer;
  }

  private updateDevice() {
    const { kind, id } = this.pick(this.organization.devices);
    return this.call('PATCH', `/api/v1/${kind}/${id}`, this.some(fields.DEVICES[kind]));
  }

  private rotate() {
    const { id } = this.pick(this.organization.devices.filter(({ kind }) => kind === 'atb'));
    return this.call('POST', `/api/v1/atb/${id}/rotate-key`);
  }

  private status() {
    return this.random() < 0.4 ? this.call('DELETE', this.aDevice()) : this.call('POST', `${this.aDevice()}/restore`);
  }

  private wishes() {
    const path = `/api/v1/organizations/${this.organization.id}`;
    return this.random() < 0.5
      ? this.call('PATCH', `${path}/alerts`, this.some(fields.ALERTS), this.pick(this.people()))
      : this.call('PATCH', `${path}/mail-preferences`, this.some(fields.MAILS), this.pick(this.people()));
  }

  private async changeMember() {
    if (this.organization.members.length === 0) await this.invite();
    const { id } = this.pick(this.organization.members);
    const body =
      this.random() < 0.5
        ? {
            role: this.pick(['VIEWER', 'SECURITY_OFFICER']),
            ...(this.random() < 0.3 && { active: this.random() < 0.5 }),
          }
        : { active: this.random() < 0.5 };
    return this.call('PATCH', `${this.path()}/users/${id}`, body);
  }

  private async remove() {
    const isFirst = this.isFirst(this.remove);
    const attached = this.organization.attachments.at(-1);
    if (!isFirst && attached !== undefined && this.random() < 0.5)
      return this.call('DELETE', `${this.incidents()}/${attached.incident}/attachments/${attached.id}`);
    return this.call('DELETE', `${this.vCiso()}/documents/${await this.aDocument(isFirst)}`);
  }

  private async leave() {
    if (this.organization.members.length < 2) await this.invite();
    const person = this.pick(this.organization.members);
    // Deactivated members cannot leave, and are removed.
    const answer =
      this.isFirst(this.leave) || this.random() < 0.5
        ? await this.call('DELETE', `${this.path()}/users/${person.id}`)
        : await this.call('POST', `${this.path()}/leave`, undefined, person);
    if (answer.status < 300) this.organization.members = this.organization.members.filter(({ id }) => id !== person.id);
    return answer;
  }

  /** And back. */
  private async transfer() {
    if (this.organization.members.length === 0) await this.invite();
    const heir = this.pick(this.organization.members);
    // Earlier changes may have deactivated everyone, and only active users may own an organization.
    if (this.isFirst(this.transfer)) await this.call('PATCH', `${this.path()}/users/${heir.id}`, { active: true });
    const answer = await this.call('POST', `${this.path()}/transfer`, { user_id: heir.id });
    if (answer.status < 300)
      await this.call('POST', `${this.path()}/transfer`, { user_id: this.organization.owner.id }, heir);
    return answer;
  }

  private async serviceAccount() {
    const path = `/api/v1/organizations/${this.organization.id}/service-accounts`;
    const made = await this.call('POST', path, { name: `Account ${this.number()}`, role: 'VIEWER' });
    if (made.status >= 300) return made;
    const account = `${path}/${made.body.data.id}`;
    await this.call('PATCH', account, this.some(fields.ACCOUNT));
    await this.call('PATCH', `${this.path()}/users/${made.body.data.id}`, { active: false });
    return this.random() < 0.5 ? this.call('DELETE', account) : made;
  }

  /**
   * By the owner of a completed control; sometimes another person countersigns. Stale attestations are detected before.
   */
  private async attest() {
    const { owner, attestations } = this.organization;
    const control = `${this.vCiso()}/workflows/nis2-directive/controls/${this.pick(CONTROLS)}`;
    await this.gateway.app.services.attestationWatch.noticeStale();
    await this.call('PATCH', control, { status: 'DONE', owner_id: owner.id });
    const file = { filename: 'p.txt', content: 'UHJvb2Y=', content_type: 'text/plain' };
    await this.call('POST', control.replace('/controls/', '/documents/') + '/versions', file);
    const answer = await this.call('POST', `${control}/attestations`, { statement: `In force ${this.number()}` });
    if (answer.status !== 201) return answer;
    const path = `${control}/attestations/${answer.body.data.id}`;
    attestations.push(path);
    const other = this.pick(this.people());
    if (other !== owner) await this.call('POST', `${path}/countersignature`, undefined, other);
    return answer;
  }

  private withdraw() {
    const path = `${this.organization.attestations.at(-1)}/withdrawal`;
    return this.call('POST', path, this.pick([{}, { reason: 'It is rewritten' }]));
  }

  async engage() {
    const path = `${this.path()}/engagements`;
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const period = { from: '2026-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z', until };
    const name = `Audit ${this.number()}`;
    const made = await this.call('POST', path, { name, workflows: ['nis2-directive'], ...period });
    if (made.status !== 201) return made;
    const auditor = await buildPerson(this.gateway.app.database, 'auditor');
    const email = `${auditor.username}@example.com`;
    await this.call('POST', `${path}/${made.body.data.id}/invitations`, { email });
    const [secret] = await mailedSecrets(this.gateway.app.database, email);
    const joined = await this.call('POST', '/api/v1/invitations/accept', { secret }, auditor);
    if (joined.status < 300) this.organization.engagements.push({ id: made.body.data.id, auditor });
    return joined;
  }

  private request({ id, auditor } = this.pick(this.organization.engagements)) {
    const body = { workflow_id: 'nis2-directive', control_id: this.pick(CONTROLS), text: `Show ${this.number()}` };
    return this.call('POST', `${this.path()}/engagements/${id}/requests`, body, auditor);
  }

  private async answer() {
    const engagement = this.pick(this.organization.engagements);
    const isFirst = this.isFirst(this.answer);
    if (isFirst) await this.request(engagement);
    const path = `${this.path()}/engagements/${engagement.id}/requests`;
    const { body } = await this.call('GET', path);
    const request = this.pick(body.data as { id: number }[]);
    const answer = { answer: this.pick([`See ${this.number()}`, null, undefined]), close: this.pick([true, false]) };
    return this.call('PATCH', `${path}/${request?.id ?? 0}`, answer, this.someone(isFirst));
  }

  private signOff() {
    const { id, auditor } = this.pick(this.organization.engagements);
    const about = this.pick([{}, { control_id: this.pick(CONTROLS) }]);
    const body = { workflow_id: 'nis2-directive', ...about, statement: `Read ${this.number()}` };
    return this.call('POST', `${this.path()}/engagements/${id}/sign-offs`, body, auditor);
  }

  private extend() {
    const { id } = this.pick(this.organization.engagements);
    const until = new Date(Date.now() + this.number() * 10_000 + 86_400_000).toISOString();
    return this.call(
      'PATCH',
      `${this.path()}/engagements/${id}`,
      this.pick([{ until }, { name: `A ${this.number()}` }]),
    );
  }

  private async dismiss() {
    const made = this.organization.engagements.length < 2 ? await this.engage() : undefined;
    const [engaged, ...others] = this.organization.engagements;
    // One remains for the other changes: it may be missing, or another client may have dismissed it meanwhile.
    if (made !== undefined && others.length === 0) return made;
    const path = `${this.path()}/engagements/${engaged!.id}/auditors/${engaged!.auditor.id}`;
    const answer = await this.call('DELETE', path);
    if (answer.status < 300) this.organization.engagements = others;
    return answer;
  }

  private async deleteAndRestore() {
    const deleted = await this.call('DELETE', this.path());
    if (deleted.status >= 300) return deleted;
    return this.call('POST', `${this.path()}/restore`);
  }

  private logo() {
    if (this.random() < 0.3) return this.call('DELETE', `${this.path()}/logo`);
    const { filename, contentType: type, bytes } = samples.PNG;
    const form = multipart([{ name: 'logo', filename, type, content: bytes }]);
    return this.gateway.rest.call('PUT', `${this.path()}/logo`, { token: this.organization.owner.token, ...form });
  }

  private many() {
    const path = `${this.vCiso()}/workflows/nis2-directive/controls`;
    return this.call('PATCH', path, { control_ids: CONTROLS.slice(1), changes: this.some(fields.CONTROL) });
  }

  /** More documents of a control than are retained. */
  private async trim() {
    const path = `${this.vCiso()}/workflows/nis2-directive/documents/21.2.d/versions`;
    const send = () => {
      const content = Buffer.from(`Text ${this.number()}`).toString('base64');
      return this.call('POST', path, { content, filename: this.pick(fields.FILES), source: this.pick(fields.SOURCES) });
    };
    for (let n = 0; n < 5; n += 1) await send();
    return send();
  }

  private imported() {
    const body = Buffer.from(`id,note,status\n21.2.b,Imported ${this.number()},IN_PROGRESS\n`);
    const request = { token: this.organization.owner.token, headers: { 'content-type': 'text/csv' }, body };
    return this.gateway.rest.call('POST', `${this.vCiso()}/workflows/nis2-directive/controls/import`, request);
  }

  /** Some of the fields, each with one of its values. */
  private some(values: fields.Values): Record<string, unknown> {
    const names = Object.keys(values);
    const chosen = Array.from({ length: 1 + Math.floor(this.random() * 3) }, () => this.pick(names));
    return Object.fromEntries(chosen.map((name) => [name, this.pick(values[name]!)]));
  }

  /** Whether no change of a kind was accepted yet: the next one must be acceptable. */
  private isFirst({ name }: { name: string }): boolean {
    return !this.accepted.has(name);
  }

  /** The owner, who has every permission, if the change must be accepted. */
  private someone(isFirst: boolean): Person {
    return isFirst ? this.organization.owner : this.pick(this.people());
  }

  private people(): Person[] {
    return [this.organization.owner, ...this.organization.members];
  }

  private aDevice() {
    const { kind, id } = this.pick(this.organization.devices);
    return `/api/v1/${kind}/${id}`;
  }

  private path = () => `/api/v1/organizations/${this.organization.id}`;
  private vCiso = () => `/api/v1/v-ciso/organizations/${this.organization.id}`;
  private incidents = () => `/api/v1/v-ciso/incidents/${this.organization.id}`;
  private incident = () => `${this.incidents()}/${this.pick(this.organization.incidents)}`;
  private newestIncident = () => `${this.incidents()}/${this.organization.incidents.at(-1)}`;
  private number = () => Math.floor(this.random() * 100_000);

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item;
  }

  private call(method: string, path: string, body?: object, { token }: Person = this.organization.owner) {
    return this.gateway.rest.call(method, path, { token, ...(body !== undefined && { body }) });
  }
}
