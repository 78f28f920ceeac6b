import { userOf, type Caller, type UserCaller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import { assign, type RowOf } from '../../database/columns.js';
import type { PageRequest } from '../../database/cursor.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, notFound, requireVersion } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { nameOf } from '../audit/personal-values.js';
import { changesBetween } from '../audit/record.js';
import { recordEngagement } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { controlOf } from '../workflows/catalog.js';
import type { WorkflowService } from '../workflows/workflows.service.js';
import type { EngagementScope } from '../shared/engagement-scope.js';
import type { EngagementReadingService } from './engagement-reading.service.js';
import type { EngagementKey, EngagementService } from './engagements.service.js';

export interface NewEvidenceRequest extends EngagementKey {
  workflowId: string;
  controlId: string;
  text: string;
}

export interface NewSignOff extends EngagementKey {
  workflowId: string;
  /** The workflow as a whole when absent. */
  controlId?: string | null;
  statement: string;
}

export interface RequestKey {
  organizationId?: number;
  engagementId: number;
  evidenceRequestId: number;
}

export interface RequestAnswer extends EngagementKey {
  evidenceRequestId: number;
  version?: number | null;
  answer?: string | null;
  /** Whether it is closed to further answers. */
  close?: boolean | null;
}

const e = table('engagement', 'e');
const a = table('engagement_auditor', 'a');
const r = table('evidence_request', 'r');
const s = table('sign_off', 's');

const requests = new Listing<ListQuery<'CREATED'>>({
  from: r.table,
  ...orderedByKey(r.id, 'CREATED', 'DESC'),
  parent: { column: r.engagement_id, type: 'bigint' },
});
const requestColumns = new Projection(
  'EvidenceRequest',
  {
    id: sql`${r.engagement_id} || '/' || ${r.id}`,
    cursor: requests.place,
    evidenceRequestId: r.id,
    ...properties(
      r,
      'workflow_id',
      'control_id',
      'text',
      'created_at',
      'answer',
      'answered_at',
      'closed_at',
      'version',
    ),
    createdBy: person(r.created_by),
    answeredBy: person(r.answered_by),
  },
  ['evidenceRequestId'],
);
const oneRequest = projected<{ id: number; engagementId: number }>()((p, { select }) =>
  db
    .selectFrom('evidence_request as r')
    .select(select)
    .where('r.id', '=', p('id'))
    .where('r.engagement_id', '=', p('engagementId')),
);

const signOffs = new Listing<ListQuery<'CREATED'>>({
  from: s.table,
  ...orderedByKey(s.id, 'CREATED', 'DESC'),
  parent: { column: s.engagement_id, type: 'bigint' },
});
const signOffColumns = new Projection(
  'SignOff',
  {
    cursor: signOffs.place,
    ...properties(s, 'workflow_id', 'control_id', 'statement', 'created_at'),
    signOffId: s.id,
    createdBy: person(s.created_by),
  },
  ['signOffId'],
);
const oneSignOff = projected<{ id: number }>()((p, { select }) =>
  db.selectFrom('sign_off as s').select(select).where('s.id', '=', p('id')),
);

/**
 * Serializes the statements of an engagement: their count is right, and neither the engagement nor its auditor ends in
 * the meantime.
 */
const lock = statement<{ id: number; userId: string }>()(
  (p) => sql<{ id: number }>`
    select ${e.id} from ${e.table} join ${a.table} on ${a.engagement_id} = ${e.id}
     where ${e.id} = ${p('id')} and ${a.user_id} = ${p('userId')} for update of e for key share of a`,
);
const countRequests = statement<{ id: number }>()(
  (p) => sql<{ made: number }>`select count(*) as made from ${r.table} where ${r.engagement_id} = ${p('id')}`,
);
const countSignOffs = statement<{ id: number }>()(
  (p) => sql<{ made: number }>`select count(*) as made from ${s.table} where ${s.engagement_id} = ${p('id')}`,
);

type Stored = { organizationId: number; engagementId: number; workflowId: string; createdBy: string; now: Date };

const insertRequest = statement<Stored & { controlId: string; text: string }>()((p) =>
  db
    .insertInto('evidence_request')
    .values({
      ...{ organization_id: p('organizationId'), engagement_id: p('engagementId'), workflow_id: p('workflowId') },
      ...{ control_id: p('controlId'), text: p('text'), created_by: p('createdBy'), created_at: p('now') },
    })
    .returning('id'),
);
const insertSignOff = statement<Stored & { controlId: string | null; statement: string }>()((p) =>
  db
    .insertInto('sign_off')
    .values({
      ...{ organization_id: p('organizationId'), engagement_id: p('engagementId'), workflow_id: p('workflowId') },
      ...{ control_id: p('controlId'), statement: p('statement'), created_by: p('createdBy'), created_at: p('now') },
    })
    .returning('id'),
);

const lockRequest = statement<{ id: number; engagementId: number }>()((p) =>
  db
    .selectFrom('evidence_request')
    .select(['answer', 'answered_by as answeredBy', 'answered_at as answeredAt', 'closed_at as closedAt', 'version'])
    .where('id', '=', p('id'))
    .where('engagement_id', '=', p('engagementId'))
    .forUpdate(),
);
const ANSWER = ['answer', 'answeredBy', 'answeredAt', 'closedAt'] as const;

const answerRequest = statement<Pick<RowOf<'evidence_request'>, 'id' | (typeof ANSWER)[number]>>()((p) =>
  db
    .updateTable('evidence_request')
    .set(assign('evidence_request', p, ANSWER))
    .where('id', '=', p('id')),
);

/** Statements and requests of auditors, and answers of members. */
export class AuditorStatementService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>,
    private readonly engagements: EngagementService,
    private readonly reading: EngagementReadingService,
    private readonly workflows: WorkflowService,
  ) {}

  async requestsOf(caller: Caller, engagementId: number, page: PageRequest, selection: ListSelection) {
    const { scope, auditor } = await this.engagements.authorize(caller, { engagementId });
    const request = { page, ...requestColumns.list(selection) };
    const found = await requests.of<{ evidenceRequestId: number }>(this.deps.database, engagementId, request);
    const shown = found.rows.map(({ evidenceRequestId }) => evidenceRequestId);
    if (auditor !== undefined) await this.engagements.recordRead(auditor, scope, 'REQUESTS', shown);
    return found;
  }

  /** One request. Throws NOT_FOUND and FORBIDDEN. */
  async readRequest(
    caller: Caller,
    { evidenceRequestId: id, ...key }: RequestKey,
    selection: Selection,
  ): Promise<object> {
    const { scope, auditor } = await this.engagements.authorize(caller, key);
    const request = found(await oneRequest(requestColumns.of(selection)).first(this.deps.database, { id, ...key }));
    if (auditor !== undefined) await this.engagements.recordRead(auditor, scope, 'REQUESTS', [id]);
    return request;
  }

  async signOffsOf(caller: Caller, engagementId: number, page: PageRequest, selection: ListSelection) {
    const { scope, auditor } = await this.engagements.authorize(caller, { engagementId });
    const request = { page, ...signOffColumns.list(selection) };
    const found = await signOffs.of<{ signOffId: number }>(this.deps.database, engagementId, request);
    const shown = found.rows.map(({ signOffId }) => signOffId);
    if (auditor !== undefined) await this.engagements.recordRead(auditor, scope, 'SIGN_OFFS', shown);
    return found;
  }

  /** Requests evidence as an auditor. Throws NOT_FOUND for a control outside of the scope. */
  async request(caller: Caller, { workflowId, controlId, text, ...key }: NewEvidenceRequest, selection: Selection) {
    const { user, scope } = await this.engagements.authorizeAuditor(caller, key);
    await this.requireInScope(scope, workflowId, controlId);
    return this.deps.database.transaction(async (tx) => {
      const now = await this.openNow(tx, scope, user);
      await refuseMore(tx, scope, countRequests);
      const shown = visibleText(text).trim();
      const stored = { ...key, workflowId, controlId, text: shown, createdBy: user.username, now };
      const { id } = await insertRequest.one(tx, stored);
      const changes = {
        request: { after: id },
        control: { after: `${workflowId}/${controlId}` },
        text: { after: shown },
      };
      const state = { createdBy: nameOf(user) };
      await recordEngagement(tx, user, scope, { action: 'EVIDENCE_REQUESTED', at: now, changes, state });
      return found(await oneRequest(requestColumns.of(selection)).first(tx, { id, engagementId: scope.id }));
    });
  }

  /** A statement about a control, or about the workflow as a whole. Throws as `request` does. */
  async signOff(
    caller: Caller,
    { workflowId, controlId = null, statement: text, ...key }: NewSignOff,
    selection: Selection,
  ) {
    const { user, scope } = await this.engagements.authorizeAuditor(caller, key);
    await this.requireInScope(scope, workflowId, controlId);
    return this.deps.database.transaction(async (tx) => {
      const now = await this.openNow(tx, scope, user);
      await refuseMore(tx, scope, countSignOffs);
      const shown = visibleText(text).trim();
      const { id } = await insertSignOff.one(tx, {
        ...{ ...key, workflowId, controlId, statement: shown, createdBy: user.username, now },
      });
      const about = controlId === null ? workflowId : `${workflowId}/${controlId}`;
      const changes = { signOff: { after: id }, about: { after: about }, statement: { after: shown } };
      const state = { createdBy: nameOf(user) };
      await recordEngagement(tx, user, scope, { action: 'SIGNED_OFF', at: now, changes, state });
      return found(await oneSignOff(signOffColumns.of(selection)).first(tx, { id }));
    });
  }

  /** Answers or closes a request as a member; absent is unchanged, null removes the answer. CONFLICT for a closed one. */
  async answer(
    caller: Caller,
    { evidenceRequestId: id, answer, close, version, ...key }: RequestAnswer,
    selection: Selection,
  ): Promise<object> {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'ANSWER_REQUESTS', key.organizationId);
    const user = userOf(caller);
    const scope = await this.engagements.scopeOf(key);
    const at = now();
    return database.transaction(async (tx) => {
      const before = found(await lockRequest.first(tx, { id, engagementId: scope.id }));
      requireVersion(before, version);
      if (before.closedAt !== null) throw conflict('REQUEST_CLOSED');
      const after = answer === undefined ? before.answer : visibleText(answer ?? '').trim();
      const closedAt = close === true ? at.toISOString() : null;
      const changes = changesBetween<object>({ answer: before.answer, closedAt: null }, { answer: after, closedAt });
      if (Object.keys(changes).length > 0) {
        const isSame = after === before.answer;
        const answeredAt = isSame ? before.answeredAt : after === '' ? null : at.toISOString();
        // Closing a request does not change the author of its answer. A removed answer has none.
        const isOwn = isSame ? before.answeredBy === null : after !== '' || closedAt !== null;
        const answeredBy = isOwn ? user.username : isSame ? before.answeredBy : null;
        await answerRequest.all(tx, { id, answer: after, answeredBy, answeredAt, closedAt });
        const said = { request: { after: id }, ...changes };
        const state = isOwn ? { answeredBy: nameOf(user) } : isSame ? {} : { answeredBy };
        await recordEngagement(tx, caller, scope, { action: 'EVIDENCE_REQUEST_ANSWERED', at, changes: said, state });
      }
      return found(await oneRequest(requestColumns.of(selection)).first(tx, { id, engagementId: scope.id }));
    });
  }

  /**
   * The time of a statement, after anything that ended the engagement or its auditor, which is checked again at
   * COMMIT. Throws NOT_FOUND for a former auditor.
   */
  private async openNow(tx: Queryable, { id }: EngagementScope, { userId }: UserCaller): Promise<Date> {
    found(await lock.first(tx, { id, userId }));
    return this.deps.now();
  }

  /** Throws NOT_FOUND for an object that the engagement does not show; after its end, by its state then. */
  private async requireInScope(scope: EngagementScope, workflowId: string, controlId: string | null): Promise<void> {
    if (!(await this.reading.shownWorkflows(scope)).includes(workflowId)) throw notFound();
    if (controlId === null) return;
    const { workflow } = await this.workflows.find({ organizationId: scope.organizationId, workflowId });
    found(controlOf(workflow, controlId));
  }
}

/** Under the lock of the engagement. */
async function refuseMore(tx: Queryable, { id }: EngagementScope, count: typeof countRequests): Promise<void> {
  if ((await count.one(tx, { id })).made >= LIMITS.engagement.requests) throw conflict('ENGAGEMENT_LIMIT');
}
