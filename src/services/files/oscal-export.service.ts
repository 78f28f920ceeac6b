import { dayOf } from '../../common/local-time.js';
import { hash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database } from '../../database/database.js';
import { portableName } from '../../storage/file-names.js';
import type { ControlStatus } from '../../values/enums.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { workflowEvent } from '../audit/subjects.js';
import { leavesOf } from '../workflows/catalog.js';
import type { CatalogControl } from '../workflows/catalog-file.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { ListedAttestation } from '../workflows/attestation-states.js';
import {
  currentAttestations,
  evidenceByControl,
  evidenceSnapshot,
  type ControlEvidence,
  type EvidenceDocument,
  type EvidenceSnapshot,
} from './evidence-snapshot.js';

type OscalModel = 'assessment-results' | 'component-definition';

/** What a document is made from. */
interface OscalSource {
  /** Address of the workflow of the organization; everything in the document is identified by an address below it. */
  address: string;
  /** Address of the organization's document versions. */
  documents: string;
  snapshot: EvidenceSnapshot;
  evidence: ControlEvidence;
  /** By control. */
  attestations: ReadonlyMap<string, ListedAttestation>;
}

/** A workflow of an organization in OSCAL: how it stands, and what is done to meet its controls. */
export class OscalExportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly deps: { publicUrl: string; readings: ReadRecorder; now: () => Date },
  ) {}

  /** The document. Throws NOT_FOUND and FORBIDDEN. */
  async prepare(caller: Caller, key: OrganizationWorkflowKey, model: OscalModel): Promise<PreparedFile<object>> {
    const { organizationId, workflowId } = key;
    await this.access.authorize(caller, 'READ_DOCUMENTS', organizationId);
    const { catalogs } = this;
    const { publicUrl, readings, now } = this.deps;
    const snapshot = await evidenceSnapshot({ reads: await this.database.longReads(), catalogs, now }, key);
    const organization = `${publicUrl}/api/v1/v-ciso/organizations/${organizationId}`;
    const address = `${organization}/workflows/${workflowId}`;
    const day = dayOf(snapshot.asOf, snapshot.timeZone);
    const open = async () => {
      const { name } = snapshot.workflow;
      const facts = { action: 'WORKFLOW_EXPORTED', at: now(), changes: { model: { after: model } } } as const;
      await readings.read(caller, workflowEvent({ organizationId, workflowId, name }, facts));
      const evidence = evidenceByControl(snapshot);
      const attestations = currentAttestations(snapshot);
      return oscalDocument(model, {
        address,
        documents: `${organization}/documents`,
        snapshot,
        evidence,
        attestations,
      });
    };
    return { name: `${portableName(`${snapshot.organization} ${workflowId} ${model} ${day}`)}.json`, open };
  }
}

/** An OSCAL document as JSON, with the name of its model at the root. */
function oscalDocument(model: OscalModel, source: OscalSource): object {
  const isResults = model === 'assessment-results';
  const { uuid, ...parts } = isResults ? assessmentResults(source) : componentDefinition(source);
  const resources = [
    catalogResource(source),
    ...(isResults ? [planResource(source)] : []),
    ...evidenceOf(source).map((document) => evidenceResource(source, document)),
  ];
  const title = isResults ? 'Assessment results' : 'Component definition';
  return {
    [model]: {
      uuid,
      metadata: metadata(title, source, isResults ? signatories(source) : []),
      ...parts,
      'back-matter': { resources },
    },
  };
}

/** The release whose elements are used; later ones of version 1 have them as well. */
const OSCAL_VERSION = '1.1.2';

/** Names of our own properties are in our own name space, as OSCAL requires. */
const NAME_SPACE = 'urn:compliance-gateway:oscal';

/** OSCAL knows two states of an objective; the state of the implementation says more. */
const STATES: Readonly<
  Record<ControlStatus, { words: string; state: string; reason: string; implementation: string }>
> = {
  DONE: { words: 'done', state: 'satisfied', reason: 'pass', implementation: 'implemented' },
  IN_PROGRESS: { words: 'in progress', state: 'not-satisfied', reason: 'fail', implementation: 'partial' },
  TO_DO: { words: 'to do', state: 'not-satisfied', reason: 'fail', implementation: 'planned' },
  NOT_APPLICABLE: {
    ...{ words: 'not applicable', state: 'not-satisfied', reason: 'other', implementation: 'not-applicable' },
  },
};

function stateOf({ snapshot }: OscalSource, { id }: CatalogControl) {
  const { status, justification = '' } = snapshot.states.get(id) ?? { status: 'TO_DO' as const };
  return { ...STATES[status], ...(justification !== '' && { remarks: justification }) };
}

function assessmentResults(source: OscalSource) {
  const { address, snapshot } = source;
  const at = snapshot.asOf.toISOString();
  const controls = assessedControls(source);
  const observations = [
    ...evidenceOf(source).map((document) => observation(source, document)),
    ...controls.flatMap((control) =>
      attestationsOf(source, control).map((each) => attestationObservation(source, each)),
    ),
  ];
  const selection = controls.map(({ id }) => ({ 'control-id': tokenOf(id) }));
  return {
    uuid: uuidOf(`${address}/oscal/assessment-results`),
    'import-ap': { href: `#${uuidOf(`${address}/oscal/assessment-plan`)}` },
    results: [
      {
        uuid: uuidOf(`${address}/oscal/result`),
        title: snapshot.workflow.name,
        description:
          'The statuses that the organization gives to its controls, and the evidence that it keeps for them.',
        start: at,
        end: at,
        'reviewed-controls': { 'control-selections': [{ 'include-controls': selection }] },
        ...(observations.length > 0 && { observations }),
        findings: controls.map((control) => finding(source, control)),
      },
    ],
  };
}

function finding(source: OscalSource, control: CatalogControl): object {
  const { words, implementation, ...status } = stateOf(source, control);
  const related = [
    ...documentsOf(source, control.id).map((document) => documentUuid(source, document, '#observation')),
    ...attestationsOf(source, control).map((attestation) => attestationUuid(source, attestation)),
  ].map((uuid) => ({ 'observation-uuid': uuid }));
  return {
    uuid: uuidOf(`${source.address}/controls/${control.id}#finding`),
    title: titleOf(control),
    description: `The organization states: ${words}.`,
    props: [idProperty(control)],
    target: {
      type: 'statement-id',
      'target-id': `${tokenOf(control.id)}_smt`,
      status,
      'implementation-status': { state: implementation },
    },
    ...(related.length > 0 && { 'related-observations': related }),
  };
}

function observation(source: OscalSource, document: EvidenceDocument): object {
  const { originalName, note, createdBy, createdAt, effectiveAt } = document;
  return {
    uuid: documentUuid(source, document, '#observation'),
    title: originalName,
    description: note ?? `Evidence that ${createdBy} uploaded.`,
    methods: ['EXAMINE'],
    subjects: [{ 'subject-uuid': partyUuid(source), type: 'party' }],
    'relevant-evidence': [{ href: `#${documentUuid(source, document)}`, description: originalName }],
    collected: effectiveAt ?? createdAt,
  };
}

/** The attestation of a control that was not withdrawn, if there is one. */
function attestationsOf({ attestations }: OscalSource, { id }: CatalogControl): ListedAttestation[] {
  return [attestations.get(id) ?? []].flat();
}

/** What the owner of a control states, with those who stand for it as its origin. */
function attestationObservation(source: OscalSource, attestation: ListedAttestation): object {
  const { id, state, statement, position, attestedBy, attestedAt, countersignedBy, attestedEvidence } = attestation;
  const actors = [attestedBy, countersignedBy].flatMap((name, index) =>
    name === null ? [] : [{ type: 'party', 'actor-uuid': personUuid(source, name), 'role-id': SIGNATORIES[index]?.id }],
  );
  const relevant = attestedEvidence.documents.map(({ documentVersionId, sha256 }) => ({
    href: `${source.documents}/${documentVersionId}`,
    description: `Document version ${documentVersionId}, SHA-256 ${sha256}`,
  }));
  const props = { state, position, number: id };
  return {
    uuid: attestationUuid(source, attestation),
    title: 'Attestation',
    description: statement,
    props: Object.entries(props).map(([name, value]) => ({
      ...{ name: `attestation-${name}`, ns: NAME_SPACE, value: String(value) },
    })),
    methods: ['INTERVIEW'],
    origins: [{ actors }],
    subjects: [{ 'subject-uuid': partyUuid(source), type: 'party' }],
    ...(relevant.length > 0 && { 'relevant-evidence': relevant }),
    collected: attestedAt,
  };
}

/** Roles of those who stand for an attestation, in this order. */
const SIGNATORIES = [
  { id: 'attester', title: 'Owner of the control, who attests that it is in place' },
  { id: 'countersigner', title: 'Person who countersigns the attestation' },
];

function attestationUuid({ address }: OscalSource, { id }: ListedAttestation): string {
  return uuidOf(`${address}/attestations/${id}`);
}

function personUuid({ documents }: OscalSource, username: string): string {
  return uuidOf(`${documents}#person/${username}`);
}

/** Each person who stands for an attestation of an assessed control, once. */
function signatories(source: OscalSource): object[] {
  const attestations = assessedControls(source).flatMap((control) => attestationsOf(source, control));
  const names = attestations.flatMap(({ attestedBy, countersignedBy }) => [attestedBy, countersignedBy ?? []].flat());
  return [...new Set(names)].map((name) => ({ uuid: personUuid(source, name), type: 'person', name }));
}

function componentDefinition(source: OscalSource) {
  const { address, snapshot } = source;
  return {
    uuid: uuidOf(`${address}/oscal/component-definition`),
    components: [
      {
        uuid: uuidOf(`${address}/oscal/component`),
        type: 'process-procedure',
        title: `Measures of ${snapshot.organization}`,
        description: `What the organization does to meet ${snapshot.workflow.name}.`,
        'control-implementations': [
          {
            uuid: uuidOf(`${address}/oscal/control-implementation`),
            source: `#${uuidOf(address)}`,
            description: snapshot.workflow.name,
            'implemented-requirements': assessedControls(source).map((control) => requirement(source, control)),
          },
        ],
      },
    ],
  };
}

function requirement(source: OscalSource, control: CatalogControl): object {
  const { implementation, remarks } = stateOf(source, control);
  const links = documentsOf(source, control.id).map((document) => ({
    href: `#${documentUuid(source, document)}`,
    rel: 'evidence',
  }));
  return {
    uuid: uuidOf(`${source.address}/controls/${control.id}#implemented-requirement`),
    'control-id': tokenOf(control.id),
    description: titleOf(control),
    props: [idProperty(control), { name: 'implementation-status', ns: NAME_SPACE, value: implementation }],
    ...(links.length > 0 && { links }),
    ...(remarks !== undefined && { remarks }),
  };
}

function metadata(title: string, source: OscalSource, persons: readonly object[]): object {
  const { asOf, organization, workflow } = source.snapshot;
  const at = asOf.toISOString();
  const parties = [{ uuid: partyUuid(source), type: 'organization', name: organization }, ...persons];
  return {
    ...{
      title: `${title}: ${workflow.name}`,
      'last-modified': at,
      version: at,
      'oscal-version': OSCAL_VERSION,
      ...(persons.length > 0 && { roles: SIGNATORIES }),
      parties,
    },
  };
}

function catalogResource({ address, snapshot: { workflow } }: OscalSource): object {
  return {
    uuid: uuidOf(address),
    title: `${workflow.name}, version ${workflow.edition}`,
    description: workflow.source,
    ...(workflow.sourceUrl !== null && { rlinks: [{ href: uriOf(workflow.sourceUrl) }] }),
  };
}

/** An imported workflow may have an address with characters that a URI must encode. */
function uriOf(address: string): string {
  return encodeURI(address).replaceAll(/%25([\da-f]{2})/gi, '%$1');
}

/** Results have to name a plan, and a statement of the organization about itself has none. */
function planResource({ address }: OscalSource): object {
  const description = 'There is no assessment plan: the organization assesses itself, and covers every control.';
  return { uuid: uuidOf(`${address}/oscal/assessment-plan`), title: 'Assessment plan', description };
}

function evidenceResource(source: OscalSource, document: EvidenceDocument): object {
  const { id, originalName, contentType, sha256 } = document;
  const hashes = [{ algorithm: 'SHA-256', value: sha256 }];
  const link = { href: `${source.documents}/${id}`, 'media-type': contentType, hashes };
  return { uuid: documentUuid(source, document), title: originalName, rlinks: [link] };
}

/** Headings group controls and are assessed with them. */
function assessedControls({ snapshot: { workflow } }: OscalSource): readonly CatalogControl[] {
  const leaves = leavesOf(workflow);
  return workflow.controls.filter(({ id }) => leaves.has(id));
}

/** Documents of a control, and those that count for it by a mapping, each once. */
function documentsOf({ evidence }: OscalSource, controlId: string): EvidenceDocument[] {
  const { own, mapped } = evidence(controlId);
  return [...new Set([...own, ...mapped])];
}

/** Documents of assessed controls, each once. What belongs to a heading, or to no control any more, shows none of them. */
function evidenceOf(source: OscalSource): EvidenceDocument[] {
  return [...new Set(assessedControls(source).flatMap(({ id }) => documentsOf(source, id)))];
}

/** OSCAL's ids begin with a letter or an underscore. */
function tokenOf(controlId: string): string {
  return /^[\p{L}_]/u.test(controlId) ? controlId : `_${controlId}`;
}

function idProperty({ id }: CatalogControl): object {
  return { name: 'control-id', ns: NAME_SPACE, value: id };
}

function titleOf({ id, label }: CatalogControl): string {
  return `${id} ${label}`;
}

function partyUuid({ documents }: OscalSource): string {
  return uuidOf(`${documents}#organization`);
}

function documentUuid({ documents }: OscalSource, { id }: EvidenceDocument, part = ''): string {
  return uuidOf(`${documents}/${id}${part}`);
}

/** The name space of addresses (RFC 9562, section 6.6). */
const ADDRESSES = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** UUID of an address, version 5 (RFC 9562, section 5.5): the same address has the same one in every export. */
function uuidOf(address: string): string {
  const bytes = hash('sha1', Buffer.concat([ADDRESSES, Buffer.from(address)]), 'buffer');
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
