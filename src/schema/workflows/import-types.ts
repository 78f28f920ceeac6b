import { ID, Int, ObjectType } from 'type-graphql';
import { Field } from '../shared/field.js';
import type { ImportMode } from '../../values/enums.js';
import { connectionOf } from '../shared/connection.js';
import { enumeration } from '../shared/enumeration.js';
import { permissions } from '../shared/permissions.js';
import { Person } from '../shared/person.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar } from '../shared/scalars.js';

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

  @Field(() => ImportModeEnum, 'Workflow, titles or mapping.')
  mode!: ImportMode;

  @Field(() => String, 'Name in the import; of a mapping, which workflows it maps.')
  name!: string;

  @Field(() => String, 'Version in the import; empty for a mapping.')
  version!: string;

  @Field(() => Int, 'How many controls it has, headings included; of a mapping, those of its first workflow.')
  controlCount!: number;

  @Field(() => Person, 'The person who imported it.')
  importedBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was imported last.')
  importedAt!: Date | string;
}

export const WorkflowImportPermissions = permissions(
  'WorkflowImport',
  'What the caller may do with an import now, with the token of this request.',
  {
    replace: 'Import it again; not a workflow that is associated with the organization.',
    delete: 'Delete it; not a workflow that is associated with the organization.',
  },
);

export const WorkflowImportConnection = connectionOf('WorkflowImport', () => WorkflowImport);
