import { ID, Int, ObjectType } from 'type-graphql';
import type { ControlStatus, EntityType, ImportMode } from '../../values/enums.js';
import { DateScalar, DateTimeScalar } from '../shared/scalars.js';
import { Optional } from '../shared/optional.js';
import { enumeration, Field, Nullable, Person, type Plain } from '../shared/types.js';
import { Version } from '../shared/version.js';
import { ControlKindEnum, ControlOwner, ControlStatusEnum, EntityTypeEnum, type ControlKind } from './types.js';

export const ImportModeEnum = enumeration<ImportMode>('WorkflowImportMode', 'What an organization brings along.', {
  WORKFLOW: 'A workflow of its own, which it can then associate.',
  TITLES: 'Official titles, for which it holds a licence, in place of our labels of a workflow.',
  MAPPING: 'Which controls of two workflows require the same, so that one document counts for both.',
});

@ObjectType({
  description: 'A workflow, titles or a mapping that an organization has imported; only its members see them.',
})
export class WorkflowImport {
  @Field(() => ID, 'Its key: `organizationId/workflowId`.')
  id!: string;

  @Field(() => ID, 'Id of the imported workflow or mapping, or of the workflow that has the titles.')
  workflowId!: string;

  @Version('import')
  version!: number;

  @Field(() => ImportModeEnum, 'Workflow, titles or mapping.')
  mode!: ImportMode;

  @Field(() => String, 'Name in the import; of a mapping, which workflows it maps.')
  name!: string;

  @Optional(() => String, 'Edition that the import names as its version; mappings have none.')
  edition!: string | null;

  @Field(() => String, 'Where it comes from.')
  source!: string;

  @Nullable(() => String, 'Address of the source; null when it has none.')
  sourceUrl!: string | null;

  @Field(() => String, 'Under which terms it is used, as the import says.')
  licence!: string;

  @Nullable(() => String, 'What a reader should know about it; null when nothing.')
  remarks!: string | null;

  @Field(() => Int, 'How many controls it has, headings included; of a mapping, those of its first workflow.')
  controlCount!: number;

  @Field(() => Person, 'The person who imported it.')
  importedBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was imported last.')
  importedAt!: Date | string;
}

@ObjectType({ description: 'A control or task as one edition of a workflow has it.' })
export class WorkflowControlEdition {
  @Field(() => String, 'Its label.')
  label!: string;

  @Nullable(() => String, 'What the source asks for, in its own words; null where only the label is kept.')
  text!: string | null;

  @Nullable(() => ID, 'Number of the heading above, such as `A.5`; null at the top.')
  parentId!: string | null;

  @Field(() => ControlKindEnum, 'Control or task.')
  kind!: ControlKind;

  @Nullable(() => [EntityTypeEnum], 'Which entities under NIS 2 it binds; null means all.')
  entities!: readonly EntityType[] | null;

  @Field(() => Boolean, 'Whether it has controls below it: then it has no status of its own.')
  isHeading!: boolean;
}

@ObjectType({ description: 'What an import changes of a control, with what the organization has of it.' })
export class WorkflowControlChange {
  @Field(() => ID, 'Its number.')
  controlId!: string;

  @Nullable(() => WorkflowControlEdition, 'As it is; null for one that is added.')
  before!: Plain<WorkflowControlEdition> | null;

  @Nullable(() => WorkflowControlEdition, 'As it will be; null for one that is removed.')
  after!: Plain<WorkflowControlEdition> | null;

  @Field(
    () => ControlStatusEnum,
    'How far the organization is. It is kept, and counts again when a later edition has the control.',
  )
  status!: ControlStatus;

  @Optional(() => String, 'Why it does not apply; with no other status than `NOT_APPLICABLE`.')
  justification!: string | null;

  @Nullable(() => ControlOwner, 'The member who is responsible for it; null when there is none.')
  owner!: Plain<ControlOwner> | null;

  @Nullable(() => DateScalar, 'By which day it is to be done; null when none is set.')
  dueDate!: string | null;

  @Field(() => Int, 'How many document versions are stored for it. They stay readable when it is removed.')
  documents!: number;
}

@ObjectType({ description: 'What the import of a workflow would change. Nothing is stored.' })
export class WorkflowImportPreview {
  @Field(() => ID, 'What it is stored by.')
  workflowId!: string;

  @Field(() => String, 'Its name.')
  name!: string;

  @Field(() => String, 'Its edition.')
  edition!: string;

  @Field(() => Boolean, 'Whether something is imported by this id, which it replaces.')
  replaces!: boolean;

  @Field(() => Boolean, 'Whether the workflow is associated with the organization.')
  isAssociated!: boolean;

  @Field(() => String, 'What an import needs to do exactly this: `previewDigest`.')
  digest!: string;

  @Field(() => [WorkflowControlChange], 'Controls that it adds, in reading order.')
  added!: Plain<WorkflowControlChange>[];

  @Field(() => [WorkflowControlChange], 'Controls that it removes, in reading order.')
  removed!: Plain<WorkflowControlChange>[];

  @Field(() => [WorkflowControlChange], 'Controls whose label, heading, kind or entities it changes, in reading order.')
  changed!: Plain<WorkflowControlChange>[];

  @Field(() => Int, 'How many controls stay as they are.')
  unchanged!: number;
}
