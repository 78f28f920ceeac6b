import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';

export type WorkflowKind = 'FRAMEWORK' | 'TASK_SET';
export type ControlKind = 'CONTROL' | 'TASK';

export const WorkflowKindEnum = enumeration<WorkflowKind>('WorkflowKind', 'What a workflow is (specification 4.8).', {
  FRAMEWORK: 'A compliance framework.',
  TASK_SET: 'A set of tasks.',
});

export const ControlKindEnum = enumeration<ControlKind>('ControlKind', 'What an item of a workflow is.', {
  CONTROL: 'A control: something to keep up and to show evidence for.',
  TASK: 'A task: something to get done.',
});

@ObjectType({
  description: 'A compliance framework or task set that organizations can take up (specification 2.9, 4.8).',
  simpleResolvers: true,
})
export class Workflow {
  @Field(() => ID, {
    description:
      'Its `workflowId` in the catalogue; below an organization, which may have titles and controls of its own, `<organizationId>/<workflowId>`.',
  })
  id!: string;

  @Field(() => String, { description: 'Name of the workflow.' })
  name!: string;

  @Field(() => String, { description: 'Version of the data, as its source numbers it.' })
  version!: string;

  @Field(() => WorkflowKindEnum, { description: 'Framework or task set.' })
  kind!: WorkflowKind;

  @Field(() => String, { description: 'Where its controls come from.' })
  source!: string;

  @Field(() => String, { nullable: true, description: 'Address of the source; null when it has none.' })
  sourceUrl!: string | null;

  @Field(() => String, { description: 'Under which terms its data is given.' })
  licence!: string;

  @Field(() => String, { nullable: true, description: 'What a reader should know about the data; null when nothing.' })
  remarks!: string | null;
}

@ObjectType({ description: 'A control or task of a workflow, as the catalogue has it.', simpleResolvers: true })
export class WorkflowControl {
  @Field(() => ID, { description: '`<id of the workflow>/<controlId>`: two workflows may number a control alike.' })
  id!: string;

  @Field(() => ID, {
    description: 'Its number in the source, such as `A.5.1`: the artifact id of documents (specification 2.3).',
  })
  controlId!: string;

  @Field(() => String, { description: 'A short label in our own words, not the official title.' })
  label!: string;

  @Field(() => ID, { nullable: true, description: '`controlId` of the heading above; null at the top.' })
  parentId!: string | null;

  @Field(() => ControlKindEnum, { description: 'Control or task.' })
  kind!: ControlKind;

  @Field(() => Int, { description: 'Place in the reading order of the workflow, from 1.' })
  position!: number;

  @Field(() => [String], {
    nullable: true,
    description: 'Which entities under NIS 2 it binds: `important`, `essential`; null means all (specification 2.2).',
  })
  entities!: readonly string[] | null;
}

export const { Connection: WorkflowConnection } = connectionOf('Workflow', () => Workflow);
export const { Connection: WorkflowControlConnection } = connectionOf('WorkflowControl', () => WorkflowControl);
