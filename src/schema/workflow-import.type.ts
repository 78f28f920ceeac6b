import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ImportMode } from '../vocabulary/import-modes.js';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

export const ImportModeEnum = enumeration<ImportMode>(
  'WorkflowImportMode',
  'What an organization brings along (decisions 9).',
  {
    WORKFLOW: 'A workflow of its own, which it can then take up.',
    TITLES: 'Official titles, for which it holds a licence, in place of our labels of a workflow.',
  },
);

@ObjectType({ description: 'What an organization has brought along; nobody else sees it.', simpleResolvers: true })
export class WorkflowImport {
  @Field(() => ID, { description: '`<organizationId>/<workflowId>`: two organizations may use one id.' })
  id!: string;

  @Field(() => ID, { description: 'Id of the imported workflow, or of the one that has the titles.' })
  workflowId!: string;

  @Field(() => ImportModeEnum, { description: 'Workflow or titles.' })
  mode!: ImportMode;

  @Field(() => String, { description: 'Name in the import.' })
  name!: string;

  @Field(() => String, { description: 'Version in the import.' })
  version!: string;

  @Field(() => Int, { description: 'How many controls it has, headings included.' })
  controlCount!: number;

  @Field(() => String, { description: 'User name of who imported it.' })
  importedBy!: string;

  @Field(() => DateTimeScalar, { description: 'When it was imported last.' })
  importedAt!: Date | string;
}

@ObjectType({ description: 'What came of an import.', simpleResolvers: true })
export class ImportWorkflowPayload {
  @Field(() => Boolean, { description: 'Whether it is new; false when it replaced an earlier import.' })
  created!: boolean;

  @Field(() => WorkflowImport, { description: 'What is kept.' })
  workflowImport!: Plain<WorkflowImport>;
}

@ObjectType({ description: 'An import that was removed.', simpleResolvers: true })
export class DeleteWorkflowImportPayload {
  @Field(() => WorkflowImport, { description: 'What was kept.' })
  workflowImport!: Plain<WorkflowImport>;
}

export const { Connection: WorkflowImportConnection } = connectionOf('WorkflowImport', () => WorkflowImport);
