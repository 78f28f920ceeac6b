import type { EntityManager } from '@mikro-orm/postgresql';
import type { Organization } from '../../entities/organization.js';
import { ControlState, OrganizationWorkflow } from '../../entities/organization-workflow.js';
import type { WorkflowCatalog } from '../../services/workflow-catalog.js';
import type { CatalogControl, CatalogWorkflow } from '../../services/workflow-file.js';
import type { ControlStatus } from '../../vocabulary/control-statuses.js';
import type { DemoPerson } from './demo-facts.js';
import type { People } from './people.js';
import type { Timeline } from './timeline.js';
import type { Touch } from './workflow-history.js';

export const ISO_27001 = 'iso-27001-2022';
export const NIS2 = 'nis2-directive';
export const NIS2_ITALY = 'nis2-it-baseline';

export function associateWorkflow(
  em: EntityManager,
  organization: Organization,
  workflowId: string,
  createdAt: Date,
): void {
  em.persist(em.create(OrganizationWorkflow, { organization, workflowId, createdAt }));
}

/** A workflow of the catalogue. */
export function knownWorkflow(catalog: WorkflowCatalog, workflowId: string): CatalogWorkflow {
  const workflow = catalog.find(workflowId);
  if (workflow === undefined) throw new Error(`The demo names ${workflowId}, which no catalogue file has`);
  return workflow;
}

/** A control of the catalogue; the demo must not speak of one that nobody can open. */
export function knownControl(catalog: WorkflowCatalog, workflowId: string, controlId: string): CatalogControl {
  const control = catalog.control(workflowId, controlId);
  if (control === undefined) throw new Error(`The demo names ${workflowId} ${controlId}, which no catalogue file has`);
  return control;
}

export function createControlStates(
  em: EntityManager,
  organization: Organization,
  { people, catalog, timeline }: { people: People; catalog: WorkflowCatalog; timeline: Timeline },
): void {
  for (const [workflowId, controlId, status, owner, dueInDays, touchedDaysAgo, justification = ''] of STATES) {
    const state = em.create(ControlState, {
      organization,
      workflowId,
      controlId: knownControl(catalog, workflowId, controlId).id,
      status,
      justification,
      note: NOTES[`${workflowId}/${controlId}`] ?? '',
      owner: owner === null ? null : people[owner],
      dueDate: dueInDays === null ? null : timeline.dayIn(dueInDays),
      updatedAt: timeline.daysAgo(touchedDaysAgo),
    });
    em.persist(state);
  }
}

/** How the progress of a workflow came about, told from its states. */
export function touchesOf(workflowId: string): Touch[] {
  return STATES.filter(([id]) => id === workflowId).map(([, controlId, status, , , daysAgo]) => ({
    controlId,
    status,
    daysAgo,
  }));
}

/** By `<workflow>/<control>`. */
const NOTES: Readonly<Record<string, string>> = {
  'iso-27001-2022/A.5.9': 'Laptops and servers are in; phones of the field service follow.',
  'iso-27001-2022/A.7.13': 'The contract with the maintenance firm ended. Who takes over the generators?',
  'nis2-directive/21.2.d': 'Begin with the three suppliers that can reach our systems.',
};

type State = readonly [
  workflowId: string,
  controlId: string,
  status: ControlStatus,
  owner: DemoPerson | null,
  dueInDays: number | null,
  touchedDaysAgo: number,
  justification?: string,
];

const STATES: readonly State[] = [
  [ISO_27001, '4.1', 'DONE', 'officer', null, 210],
  [ISO_27001, '5.2', 'DONE', 'owner', null, 198],
  [ISO_27001, '6.1.2', 'DONE', 'officer', -120, 131],
  [ISO_27001, '6.1.3', 'IN_PROGRESS', 'officer', 18, 4],
  [ISO_27001, '7.2', 'TO_DO', 'manager', 60, 45],
  [ISO_27001, 'A.5.1', 'DONE', 'officer', null, 5],
  [ISO_27001, 'A.5.9', 'IN_PROGRESS', 'analyst', 12, 2],
  [ISO_27001, 'A.5.24', 'DONE', 'officer', -30, 33],
  [ISO_27001, 'A.5.26', 'IN_PROGRESS', 'officer', 3, 1],
  [ISO_27001, 'A.6.3', 'IN_PROGRESS', 'manager', 25, 9],
  [ISO_27001, 'A.6.7', 'TO_DO', 'manager', 75, 45],
  [ISO_27001, 'A.7.4', 'DONE', 'manager', null, 88],
  [ISO_27001, 'A.7.13', 'TO_DO', null, -4, 64],
  [ISO_27001, 'A.8.2', 'DONE', 'analyst', null, 16],
  [ISO_27001, 'A.8.8', 'IN_PROGRESS', 'analyst', 7, 1],
  [ISO_27001, 'A.8.13', 'DONE', 'analyst', null, 21],
  [ISO_27001, 'A.8.16', 'TO_DO', 'analyst', 40, 30],
  [ISO_27001, 'A.8.22', 'IN_PROGRESS', 'analyst', 90, 11],
  [
    ISO_27001,
    'A.8.28',
    'NOT_APPLICABLE',
    'officer',
    null,
    150,
    'Valdoria writes no software; all of it is bought as a service.',
  ],
  [ISO_27001, 'A.8.30', 'NOT_APPLICABLE', 'officer', null, 150, 'No development is given to others, see A.8.28.'],
  [NIS2, '20.1', 'DONE', 'owner', null, 77],
  [NIS2, '20.2', 'IN_PROGRESS', 'owner', 35, 12],
  [NIS2, '21.2.a', 'DONE', 'officer', null, 58],
  [NIS2, '21.2.b', 'DONE', 'officer', null, 33],
  [NIS2, '21.2.c', 'IN_PROGRESS', 'analyst', 21, 6],
  [NIS2, '21.2.d', 'TO_DO', 'manager', 50, 29],
  [NIS2, '23.4.a', 'DONE', 'officer', null, 1],
  [NIS2, '23.4.b', 'IN_PROGRESS', 'officer', 2, 1],
  [NIS2, '23.2', 'NOT_APPLICABLE', 'officer', null, 40, 'No customer depends on a digital service of ours.'],
  [NIS2_ITALY, 'GV.OC-04.1', 'DONE', 'officer', null, 41],
  [NIS2_ITALY, 'GV.RR-02.1', 'DONE', 'owner', null, 38],
  [NIS2_ITALY, 'GV.RR-02.3', 'DONE', 'officer', null, 38],
  [NIS2_ITALY, 'GV.PO-01.1', 'IN_PROGRESS', 'officer', 28, 9],
  [NIS2_ITALY, 'ID.AM-01.1', 'IN_PROGRESS', 'analyst', 12, 2],
  [NIS2_ITALY, 'ID.AM-03.1', 'TO_DO', 'analyst', 45, 20],
  [NIS2_ITALY, 'PR.AA-03.2', 'DONE', 'analyst', -20, 22],
  [NIS2_ITALY, 'PR.DS-11.4', 'IN_PROGRESS', 'analyst', -2, 7],
  [NIS2_ITALY, 'RS.MA-01.1', 'DONE', 'officer', null, 15],
];
