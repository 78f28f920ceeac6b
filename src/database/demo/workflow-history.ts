import type { EntityManager } from '@mikro-orm/postgresql';
import type { Organization } from '../../entities/organization.js';
import { WorkflowImport, WorkflowProgress } from '../../entities/organization-workflow.js';
import { leavesOf, type WorkflowCatalog } from '../../services/workflow-catalog.js';
import type { CatalogWorkflow } from '../../services/workflow-file.js';
import { countBegun, nothingBegun } from '../../services/workflow-progress.js';
import type { ControlStatus } from '../../vocabulary/control-statuses.js';
import type { Timeline } from './timeline.js';
import { knownControl } from './workflows.js';

/** When a control came to its status, in days before the seeding. */
export interface Touch {
  controlId: string;
  status: ControlStatus;
  daysAgo: number;
}

/** How the progress went, told from the states that the demo ends with: the last day is how it stands now. */
export function createProgress(
  em: EntityManager,
  organization: Organization,
  workflow: CatalogWorkflow,
  { since, touches, timeline }: { since: number; touches: readonly Touch[]; timeline: Timeline },
): void {
  const leaves = leavesOf(workflow);
  const counts = nothingBegun(leaves.size);
  const days = new Map([[timeline.dayIn(-since), { ...counts }]]);
  for (const { controlId, status, daysAgo } of touches.toSorted((a, b) => b.daysAgo - a.daysAgo)) {
    if (!leaves.has(controlId) || status === 'TO_DO') continue;
    countBegun(counts, status);
    days.set(timeline.dayIn(-daysAgo), { ...counts });
  }
  for (const [day, progress] of days)
    em.persist(em.create(WorkflowProgress, { organization, workflowId: workflow.id, day, ...progress }));
}

/** Rules of its own that the organization has not taken up yet, and its own titles for a workflow of ours. */
export function createWorkflowImports(
  em: EntityManager,
  organization: Organization,
  { importedBy, catalog, timeline }: { importedBy: string; catalog: WorkflowCatalog; timeline: Timeline },
): void {
  if (catalog.find(HOUSE_RULES.id) !== undefined) throw new Error(`The demo imports ${HOUSE_RULES.id}, which we ship`);
  for (const { id } of TITLES.controls) knownControl(catalog, TITLES.id, id);
  for (const [mode, content, daysAgo] of [
    ['WORKFLOW', HOUSE_RULES, 14],
    ['TITLES', TITLES, 13],
  ] as const)
    em.persist(
      em.create(WorkflowImport, {
        organization,
        workflowId: content.id,
        mode,
        content,
        importedBy,
        importedAt: timeline.daysAgo(daysAgo),
      }),
    );
}

const HOUSE_RULES = {
  id: 'house-rules',
  name: 'House rules for control rooms',
  version: '3',
  source: { text: 'Valdoria, handbook for control rooms, third edition.' },
  licence: 'For use within Valdoria.',
  controls: [
    { id: 'H1', label: 'People', kind: 'control' },
    { id: 'H1.1', label: 'Let visitors in by appointment and never alone', parent: 'H1', kind: 'control' },
    { id: 'H1.2', label: 'Hand the shift over in writing', parent: 'H1', kind: 'control' },
    { id: 'H2', label: 'Screens and consoles', kind: 'control' },
    { id: 'H2.1', label: 'Lock consoles whenever nobody sits at them', parent: 'H2', kind: 'control' },
    { id: 'H2.2', label: 'Bring no storage device into the room', parent: 'H2', kind: 'control' },
    { id: 'H2.3', label: 'Walk through the emergency shutdown twice a year', parent: 'H2', kind: 'task' },
  ],
};

const TITLES = {
  id: 'incident-readiness',
  name: 'Preparazione agli incidenti',
  version: '1.0',
  source: { text: 'Valdoria, translation for the control rooms.' },
  licence: 'For use within Valdoria.',
  controls: [
    { id: 'IR-01', label: 'Scrivere il piano di risposta e farlo approvare dalla direzione', kind: 'task' },
    { id: 'IR-02', label: 'Nominare la squadra di risposta, i sostituti e i recapiti', kind: 'task' },
  ],
};
