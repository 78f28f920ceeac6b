import { readFileSync } from 'node:fs';
import { ID, InputType, Int } from 'type-graphql';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Json, ObjectRule } from '../../common/input-schema.js';
import type { ControlStatus, ImportMode } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { CheckedBy, Constrained, List, Rule, Text } from '../shared/constraints.js';
import { DateScalar, JsonObjectScalar, UploadScalar, SafeIntScalar } from '../shared/scalars.js';
import { TableInput } from '../shared/table-input.js';
import { Field, Nullable, type Plain } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';
import { ImportModeEnum } from './import-types.js';
import { ControlStatusEnum } from './types.js';

// Specification 4.8.
@InputType({ description: 'A workflow to associate with an organization.' })
export class AssociateWorkflowInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'The `id` of an available workflow.')
  workflowId!: string;
}

@InputType({ description: 'A workflow to dissociate from an organization.' })
export class DissociateWorkflowInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'Which of its workflows.')
  workflowId!: string;
}

@InputType({ description: 'Which controls to list. All conditions hold at once.' })
export class OrganizationControlFilter {
  @Nullable(() => ControlStatusEnum, 'Only those of this status. Headings are left out: theirs counts nowhere.')
  status?: ControlStatus | null;

  @Nullable(() => ID, 'Only those that the member with this user id answers for.')
  ownerId?: string | null;

  @Nullable(() => Boolean, 'Only overdue ones, or only those that are not.')
  overdue?: boolean | null;

  @Nullable(() => ID, 'Only those directly below this heading.')
  parentId?: string | null;
}

const { changedAtOnce } = LIMITS.control;
const changedCount = `must have from 1 to ${changedAtOnce} items`;
const CHANGED_AT_ONCE = { minItems: changedCount, maxItems: changedCount };

/** One set of changes for a list of ids, or a list of changes. */
const oneForm: ObjectRule = (read) => {
  const [ids, changes, updates] = ['controlIds', 'changes', 'updates'].map((field) => (read(field) ?? null) !== null);
  if (updates === (ids || changes))
    return [{ at: [], whole: true, sentence: 'either {controlIds} with {changes} or {updates} must be given' }];
  if (updates || (ids && changes)) return [];
  return [{ at: [ids ? 'changes' : 'controlIds'], sentence: 'is required' }];
};

@InputType({ description: 'What becomes of controls. An absent field stays as it is; null clears.' })
export class ControlChangeInput {
  @Nullable(
    () => ControlStatusEnum,
    'How far the organization is; must not be null. That of a heading, a control with others below it, is kept and counts nowhere.',
  )
  @Constrained({ notNull: true })
  status?: ControlStatus | null;

  @Nullable(() => String, 'Why it does not apply: required with `NOT_APPLICABLE`, and with no other status.')
  @Text({ max: LIMITS.control.justificationCharacters, lines: true, min: 0, trim: true })
  justification?: string | null;

  @Nullable(() => String, 'Why it was chosen, such as a risk, a law or a contract; for the statement of applicability.')
  @Text({ max: LIMITS.control.justificationCharacters, lines: true })
  inclusionReason?: string | null;

  @Nullable(() => ID, 'User id of the member who answers for it; must be an active one.')
  ownerId?: string | null;

  @Nullable(() => DateScalar, 'By which day it is to be done.')
  dueDate?: string | null;

  @Nullable(() => Int, 'After how many months evidence without a last day of its own is stale; null means never.')
  @Constrained({ minimum: 1, maximum: LIMITS.control.maxReviewIntervalMonths })
  reviewIntervalMonths?: number | null;

  @Nullable(() => String, 'What the members should know of it.')
  @Text({ max: LIMITS.control.noteCharacters, lines: true })
  note?: string | null;
}

@InputType({ description: 'A control and what becomes of it. An absent field stays as it is; null clears.' })
export class ControlUpdateInput extends ControlChangeInput {
  @Field(() => ID, 'Which control of the workflow.')
  controlId!: string;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'A control to change. An absent field stays as it is; null clears.' })
export class UpdateControlInput extends ControlUpdateInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'Which of its workflows.')
  workflowId!: string;
}

@Rule(oneForm)
@InputType({
  description:
    'Controls to change, all or none: `controlIds` with one set of `changes`, or `updates`. 200 controls at most, each named once.',
})
export class UpdateControlsInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'Which of its workflows.')
  workflowId!: string;

  @Nullable(() => [ID], 'Controls that all change alike.')
  @List({ min: 1, max: changedAtOnce, sentences: CHANGED_AT_ONCE })
  controlIds?: string[] | null;

  @Nullable(() => ControlChangeInput, 'What becomes of each of `controlIds`.')
  changes?: ControlChangeInput | null;

  @Nullable(() => [ControlUpdateInput], 'Controls with what becomes of each.')
  @List({ min: 1, max: changedAtOnce, sentences: CHANGED_AT_ONCE })
  updates?: ControlUpdateInput[] | null;
}

@InputType({ description: 'Controls as they were exported, and edited since.' })
export class ImportControlsInput extends TableInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'Which of its workflows.')
  workflowId!: string;
}

/** The rules of imported files. Imports are checked by them when they are read; their limits are published here. */
function rulesOf(name: string): { properties: Record<string, FileRule>; $defs: Record<string, FileRule> } {
  return JSON.parse(readFileSync(new URL(`../../../catalog/${name}`, import.meta.url), 'utf8'));
}

const FILE = rulesOf('workflow.schema.json');
const MAPPING = rulesOf('mappings/mapping.schema.json');

interface FileRule extends Json {
  $ref?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  properties?: Record<string, FileRule>;
  items?: FileRule;
}

function FromFile(name: string, { properties = {} }: FileRule = FILE): PropertyDecorator {
  const own = properties[name] as FileRule;
  const { maxLength, maxItems, enum: values } = { ...FILE.$defs[own.$ref?.replace('#/$defs/', '') ?? ''], ...own };
  const published = JSON.parse(JSON.stringify({ maxLength, enum: values && [...values, null] })) as Json;
  // How many there are is checked before anything else is read of a list.
  return Constrained({
    unchecked: 'catalog/workflow.schema.json',
    published,
    ...(maxItems !== undefined && { maxItems }),
  });
}

@Rule(() => [], { required: ['text'] })
@InputType({ description: 'Where the controls of a workflow come from.' })
export class WorkflowSourceInput {
  @Nullable(() => String, 'Who published what, and when. Required.')
  @FromFile('text', FILE.properties.source)
  text?: string | null;

  @Nullable(() => String, 'Address of the source (https).')
  @FromFile('url', FILE.properties.source)
  url?: string | null;
}

@Rule(() => [], { required: ['id', 'label', 'kind'] })
@InputType({ description: 'A control or task of a workflow to import.' })
export class WorkflowControlInput {
  @Nullable(() => ID, 'Its number in the source, unique in the workflow. Required.')
  id?: string | null;

  @Nullable(() => String, 'Its label, in one line of 120 characters at most. Required.')
  @FromFile('label', FILE.$defs.control)
  label?: string | null;

  @Nullable(() => String, 'What the source asks for, in its own words, where its licence allows to keep them.')
  @FromFile('text', FILE.$defs.control)
  text?: string | null;

  @Nullable(() => ID, 'The heading above, which stands before it; absent at the top. Titles leave it as it is.')
  parent?: string | null;

  @Nullable(() => String, '`control` or `task`. Required.')
  @FromFile('kind', FILE.$defs.control)
  kind?: string | null;

  @Nullable(() => [String], 'Which entities under NIS 2 it binds: `important`, `essential`; absent means all.')
  @FromFile('entities', FILE.$defs.control)
  entities?: string[] | null;
}

@Rule(() => [], { required: ['control', 'matches'] })
@InputType({ description: 'A control with what requires the same in another workflow.' })
export class MappingPairInput {
  @Nullable(() => ID, 'A control of `from`, once in a mapping. Required.')
  control?: string | null;

  @Nullable(() => [ID], 'Controls of `to`. Required.')
  @FromFile('matches', MAPPING.properties.pairs?.items)
  matches?: string[] | null;
}

@InputType({
  description:
    'A workflow of the organization’s own that is to be imported, in the forms and with the limits of an import. Nothing is stored.',
})
export class PreviewWorkflowImportInput {
  @Field(() => SafeIntScalar, 'The organization that has the import.')
  organizationId!: number;

  @Nullable(() => String, 'The whole workflow or mapping as YAML or JSON, or a library of CISO Assistant.')
  @CheckedBy('catalog/workflow.schema.json')
  text?: string | null;

  @Nullable(() => UploadScalar, 'The same as a file, in a multipart request.')
  file?: Plain<IncomingFile> | null;

  @Nullable(
    () => JsonObjectScalar,
    'An OSCAL catalog, or a profile resolved to one: what its file (JSON) has under `catalog`. `text`, and `file` of GraphQL, may also have the whole of such a file.',
  )
  catalog?: Record<string, unknown> | null;

  @Nullable(
    () => JsonObjectScalar,
    'An OSCAL profile: what its file (JSON) has under `profile`, with the catalog that it imports as `catalog`, unless that is a workflow of the catalogue.',
  )
  profile?: Record<string, unknown> | null;

  @Nullable(
    () => ID,
    'What to store it by: small letters, digits and hyphens, 64 at most. Required among the fields; beside an OSCAL catalog its title when absent, and beside a library the end of its address.',
  )
  id?: string | null;

  @Nullable(() => String, 'Its name. Required among the fields of a workflow.')
  @FromFile('name')
  name?: string | null;

  @Nullable(() => String, 'Edition of the source, as the file has it. Required among the fields of a workflow.')
  @FromFile('version')
  version?: string | null;

  @Nullable(() => String, '`framework` (when absent) or `task-set`.')
  @FromFile('kind')
  kind?: string | null;

  @Nullable(() => WorkflowSourceInput, 'Where it comes from. Required among the fields.')
  source?: WorkflowSourceInput | null;

  @Nullable(() => String, 'Under which terms it is used. Required among the fields.')
  @FromFile('licence')
  licence?: string | null;

  @Nullable(() => String, 'What a reader should know about it.')
  @FromFile('remarks')
  remarks?: string | null;

  @Nullable(
    () => [WorkflowControlInput],
    'Its controls and tasks in reading order. Required among the fields of a workflow.',
  )
  @FromFile('controls')
  controls?: WorkflowControlInput[] | null;
}

/** Only workflows are previewed: titles and mappings neither add nor remove controls. */
const digestOfWorkflow: ObjectRule = (read) =>
  (read('previewDigest') ?? null) === null || (read('mode') ?? 'WORKFLOW') === 'WORKFLOW'
    ? []
    : [{ at: ['previewDigest'], sentence: 'is allowed with the mode WORKFLOW only' }];

@Rule(digestOfWorkflow)
@InputType({
  description:
    'A workflow of the organization’s own, official titles for one of the catalogue, or a mapping between two workflows: as `text`, through GraphQL also as `file`, or field by field, 1 MB at most; or an OSCAL catalog or a library of CISO Assistant, 5 MB at most. 2,000 controls at most. Each error names its place.',
})
export class ImportWorkflowInput extends PreviewWorkflowImportInput {
  @Nullable(() => ImportModeEnum, 'What it is; `WORKFLOW` when absent.', { defaultValue: 'WORKFLOW' })
  mode?: ImportMode | null;

  @Nullable(
    () => String,
    'The `digest` of a preview: the import is refused when it would change anything else. Required for a workflow that is associated with the organization.',
  )
  @Text({ max: LIMITS.workflowImport.digestCharacters })
  previewDigest?: string | null;

  @Nullable(
    () => Int,
    'The `version` of the earlier import of this id that it replaces: when there is another one by now, or none, nothing is imported: CONFLICT.',
  )
  replacesVersion?: number | null;

  @Nullable(
    () => ID,
    'Of a mapping: a workflow. Required among its fields; beside a library, in place of the framework that it names first.',
  )
  from?: string | null;

  @Nullable(
    () => ID,
    'Of a mapping: another workflow. Required among its fields; beside a library, in place of the framework that it names last.',
  )
  to?: string | null;

  @Nullable(
    () => [MappingPairInput],
    'Of a mapping: which controls of the two require the same. Required among its fields.',
  )
  @FromFile('pairs', MAPPING)
  pairs?: MappingPairInput[] | null;
}

@InputType({ description: 'An import to remove.' })
export class DeleteWorkflowImportInput {
  @Field(() => SafeIntScalar, 'The organization that has the import.')
  organizationId!: number;

  @Field(() => ID, 'Id of the imported workflow or mapping, or of the workflow that has the titles.')
  workflowId!: string;

  @ExpectedVersion
  version?: number | null;
}
