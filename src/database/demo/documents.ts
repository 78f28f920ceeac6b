import type { EntityManager } from '@mikro-orm/postgresql';
import { DocumentVersion } from '../../entities/document-version.js';
import type { Organization } from '../../entities/organization.js';
import type { WorkflowCatalog } from '../../services/workflow-catalog.js';
import type { DocumentSource } from '../../vocabulary/document-sources.js';
import type { DemoPerson } from './demo-facts.js';
import { assetInventory, privilegedAccounts } from './evidence-tables.js';
import { incidentPlan, policy, restoreTest, shopFloorRules, trainingPlan } from './evidence-texts.js';
import type { People } from './people.js';
import type { DemoFile, StoredFiles } from './stored-files.js';
import type { Timeline } from './timeline.js';
import { ISO_27001, knownControl, NIS2 } from './workflows.js';

export interface DocumentStage {
  people: People;
  catalog: WorkflowCatalog;
  timeline: Timeline;
  files: StoredFiles;
}

interface Evidence extends DemoFile {
  workflowId: string;
  artifactId: string;
  source: DocumentSource;
  by: DemoPerson;
  daysAgo: number;
  /** When the evidence was true, where that is another day. */
  effectiveDaysAgo?: number;
  /** What a reader should know of it. */
  note?: string;
}

export async function createDocuments(
  em: EntityManager,
  organization: Organization,
  other: Organization,
  stage: DocumentStage,
): Promise<void> {
  // One after the other and oldest first: the newest version of an artifact is the one with the highest id.
  for (const evidence of OF_FIRST.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
    await createDocument(em, organization, evidence, stage);
  }
  await createDocument(em, other, OF_OTHER, stage);
}

async function createDocument(
  em: EntityManager,
  organization: Organization,
  evidence: Evidence,
  { people, catalog, timeline, files }: DocumentStage,
): Promise<void> {
  const { workflowId, source, by, daysAgo, effectiveDaysAgo, note } = evidence;
  const version = em.create(DocumentVersion, {
    ...(await files.keep(evidence)),
    organization,
    workflowId,
    artifactId: knownControl(catalog, workflowId, evidence.artifactId).id,
    source,
    createdBy: people[by].username,
    uploaderId: people[by].id,
    note: note ?? null,
    createdAt: timeline.daysAgo(daysAgo),
    effectiveAt: effectiveDaysAgo === undefined ? null : timeline.daysAgo(effectiveDaysAgo),
  });
  em.persist(version);
}

/** One control with several versions: what the address of an upload can be tried with. */
export const DEMO_ARTIFACT = { workflowId: ISO_27001, artifactId: 'A.5.1' } as const;

const OF_FIRST: readonly Evidence[] = [
  { ...DEMO_ARTIFACT, ...policy('1.0'), source: 'attached', by: 'officer', daysAgo: 198, effectiveDaysAgo: 200 },
  {
    ...DEMO_ARTIFACT,
    ...policy('1.1'),
    source: 'attached',
    by: 'officer',
    daysAgo: 58,
    note: 'Approved by the board.',
  },
  { ...DEMO_ARTIFACT, ...policy('2.0'), source: 'attached', by: 'owner', daysAgo: 5 },
  // The same bytes for another requirement: they are stored once.
  { workflowId: NIS2, artifactId: '21.2.a', ...policy('1.1'), source: 'attached', by: 'officer', daysAgo: 57 },
  { workflowId: ISO_27001, artifactId: 'A.5.9', ...assetInventory(1), source: 'imported', by: 'analyst', daysAgo: 44 },
  { workflowId: ISO_27001, artifactId: 'A.5.9', ...assetInventory(2), source: 'imported', by: 'analyst', daysAgo: 2 },
  { workflowId: ISO_27001, artifactId: 'A.5.24', ...incidentPlan(), source: 'attached', by: 'officer', daysAgo: 33 },
  { workflowId: NIS2, artifactId: '21.2.b', ...incidentPlan(), source: 'attached', by: 'officer', daysAgo: 33 },
  // Of a workflow that the organization has let go: its documents stay.
  {
    workflowId: 'incident-readiness',
    artifactId: 'IR-01',
    ...incidentPlan(),
    source: 'attached',
    by: 'officer',
    daysAgo: 31,
  },
  { workflowId: ISO_27001, artifactId: 'A.6.3', ...trainingPlan(), source: 'attached', by: 'manager', daysAgo: 9 },
  {
    workflowId: ISO_27001,
    artifactId: 'A.8.2',
    ...privilegedAccounts(),
    source: 'generated',
    by: 'analyst',
    daysAgo: 16,
  },
  {
    workflowId: ISO_27001,
    artifactId: 'A.8.13',
    ...restoreTest(),
    source: 'generated',
    by: 'analyst',
    daysAgo: 21,
    effectiveDaysAgo: 22,
    note: 'Restored in four hours; the target is eight.',
  },
];

const OF_OTHER: Evidence = {
  ...DEMO_ARTIFACT,
  ...shopFloorRules(),
  source: 'attached',
  by: 'stranger',
  daysAgo: 28,
};
