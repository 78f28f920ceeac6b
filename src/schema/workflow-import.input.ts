import { Field, ID, InputType, Int } from 'type-graphql';
import type { ImportMode } from '../vocabulary/import-modes.js';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Plain } from './plain.js';
import { UploadScalar } from './scalars.js';
import { ImportModeEnum } from './workflow-import.type.js';

@InputType({ description: 'Where the controls of a workflow come from.' })
export class WorkflowSourceInput {
  @Field(() => String, { nullable: true, description: 'Who published what, and when. Required.' })
  text?: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the source (https).' })
  url?: string | null;
}

@InputType({ description: 'A control or task of a workflow to import.' })
export class WorkflowControlInput {
  @Field(() => ID, { nullable: true, description: 'Its number in the source, unique in the workflow. Required.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Its label, in one line of 120 characters at most. Required.' })
  label?: string | null;

  @Field(() => ID, { nullable: true, description: 'The heading above, which stands before it; absent at the top.' })
  parent?: string | null;

  @Field(() => String, { nullable: true, description: '`control` or `task`. Required.' })
  kind?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Which entities under NIS 2 it binds: `important`, `essential`; absent means all.',
  })
  entities?: string[] | null;
}

@InputType({
  description:
    'A workflow of the organization’s own, or official titles for one that is there for everybody: as `text`, as `file`, or field by field. 1 MB and 2,000 controls at most. Every fault is told with its place.',
})
export class ImportWorkflowInput {
  @Field(() => Int, { description: 'Whose it is.' })
  organizationId!: number;

  @Field(() => ImportModeEnum, { nullable: true, description: 'What it is; `WORKFLOW` when absent.' })
  mode?: ImportMode | null;

  @Field(() => String, { nullable: true, description: 'The whole workflow as YAML or JSON.' })
  text?: string | null;

  @Field(() => UploadScalar, { nullable: true, description: 'The same as a file, in a multipart request.' })
  file?: Plain<IncomingFile> | null;

  @Field(() => ID, {
    nullable: true,
    description: 'What to store it by: small letters, digits and hyphens, 64 at most. Required among the fields.',
  })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Its name. Required among the fields.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Edition of the source. Required among the fields.' })
  version?: string | null;

  @Field(() => String, { nullable: true, description: '`framework` (when absent) or `task-set`.' })
  kind?: string | null;

  @Field(() => WorkflowSourceInput, { nullable: true, description: 'Where it comes from. Required among the fields.' })
  source?: WorkflowSourceInput | null;

  @Field(() => String, { nullable: true, description: 'Under which terms it is used. Required among the fields.' })
  licence?: string | null;

  @Field(() => String, { nullable: true, description: 'What a reader should know about it.' })
  remarks?: string | null;

  @Field(() => [WorkflowControlInput], {
    nullable: true,
    description: 'Its controls and tasks in reading order. Required among the fields.',
  })
  controls?: WorkflowControlInput[] | null;
}

@InputType({ description: 'An import to remove.' })
export class DeleteWorkflowImportInput {
  @Field(() => Int, { description: 'Whose it is.' })
  organizationId!: number;

  @Field(() => ID, { description: 'Id of the imported workflow, or of the one that has the titles.' })
  workflowId!: string;
}
