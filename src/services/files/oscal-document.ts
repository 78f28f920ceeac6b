import { markedAsSandbox } from '../../mail/mail-layout.js';
import { english } from '../../messages/language.js';
import type { CatalogControl } from '../workflows/catalog-file.js';
import type { ListedAttestation } from '../workflows/attestation-states.js';
import type { EvidenceDocument } from './evidence-snapshot.js';
import {
  assessedControls,
  attestationsOf,
  attestationUuid,
  documentsOf,
  documentUuid,
  idProperty,
  NAME_SPACE,
  type OscalSource,
  partyUuid,
  personUuid,
  SIGNATORIES,
  stateOf,
  titleOf,
  tokenOf,
  uuidOf,
} from './oscal-elements.js';

export type OscalModel = 'assessment-results' | 'component-definition';

/** An OSCAL document as JSON, with the name of its model at the root. */
export function oscalDocument(model: OscalModel, source: OscalSource): object {
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

/** The OSCAL release of the elements; later ones of version 1 have them as well. */
const OSCAL_VERSION = '1.1.2';

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

/** The statement of the owner of a control, with its author and countersigner as origin. */
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

/** Each author and countersigner of an attestation of an assessed control, once. */
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
  const { asOf, organization, sandbox, workflow } = source.snapshot;
  const whole = `${title}: ${workflow.name}`;
  const at = asOf.toISOString();
  const parties = [{ uuid: partyUuid(source), type: 'organization', name: organization }, ...persons];
  return {
    ...{
      title: sandbox ? markedAsSandbox(whole, english) : whole,
      'last-modified': at,
      version: at,
      'oscal-version': OSCAL_VERSION,
      ...(sandbox && { props: [{ name: 'sandbox', ns: NAME_SPACE, value: 'true' }] }),
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

/** Results must name a plan, and a self-statement of the organization has none. */
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

/** Documents of assessed controls, each once, without those of headings and former controls. */
function evidenceOf(source: OscalSource): EvidenceDocument[] {
  return [...new Set(assessedControls(source).flatMap(({ id }) => documentsOf(source, id)))];
}
