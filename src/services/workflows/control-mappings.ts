import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CatalogSchema,
  asPartial,
  type CatalogDocument,
  type CatalogError,
  type Path,
  type CatalogWorkflow,
} from './catalog-file.js';

/** A control wherever it is. */
export interface ControlRef {
  readonly workflowId: string;
  readonly controlId: string;
}

/** An equivalent control of another workflow. */
export interface ControlMatch extends ControlRef {
  /** The control that the mapping names where it names the heading of one of the two; null where it names both. */
  readonly via: string | null;
}

/** What the JSON Schema promises of a valid mapping. */
export interface MappingFile {
  from: string;
  to: string;
  pairs: { control: string; matches: string[] }[];
}

/**
 * Equivalent controls of two workflows, so that one document counts for both. Read in both directions, inherited by what
 * is below one of the two, and never through a third control: equivalence is not transitive.
 */
export class ControlMappings {
  private readonly matches = new Map<string, ControlMatch[]>();

  constructor(mappings: readonly MappingFile[], workflows: readonly CatalogWorkflow[]) {
    const below = new Map(workflows.map((workflow) => [workflow.id, descendantsOf(workflow)]));
    for (const { control, match } of pairsOf(mappings)) this.add(control, match, null);
    for (const { control, match } of pairsOf(mappings)) {
      for (const controlId of below.get(control.workflowId)?.get(control.controlId) ?? [])
        this.add({ ...control, controlId }, match, control.controlId);
      for (const controlId of below.get(match.workflowId)?.get(match.controlId) ?? [])
        this.add(control, { ...match, controlId }, match.controlId);
    }
  }

  /** Validates the mappings of a folder; undefined when there is no such folder. */
  static builder(directory: string, workflows: readonly CatalogWorkflow[]): MappingRules | undefined {
    return existsSync(directory) ? new MappingRules(directory, workflows) : undefined;
  }

  /** Controls of other workflows that a document of this one counts for. */
  of({ workflowId, controlId }: ControlRef): readonly ControlMatch[] {
    return this.matches.get(`${workflowId}/${controlId}`) ?? NONE;
  }

  private add(one: ControlRef, other: ControlRef, via: string | null): void {
    this.addOneWay(one, { ...other, via });
    this.addOneWay(other, { ...one, via });
  }

  /** What a mapping says of the control itself goes before what it inherits. */
  private addOneWay({ workflowId, controlId }: ControlRef, match: ControlMatch): void {
    const key = `${workflowId}/${controlId}`;
    const known = this.matches.get(key);
    if (known === undefined) this.matches.set(key, [match]);
    else if (!known.some((one) => one.workflowId === match.workflowId && one.controlId === match.controlId))
      known.push(match);
  }
}

function* pairsOf(mappings: readonly MappingFile[]): Generator<{ control: ControlRef; match: ControlRef }> {
  for (const { from, to, pairs } of mappings) {
    for (const { control, matches } of pairs) {
      for (const match of matches)
        yield {
          control: { workflowId: from, controlId: control },
          match: { workflowId: to, controlId: match },
        };
    }
  }
}

/** The controls at any depth below each heading. Parents stand before their children. */
function descendantsOf({ controls }: CatalogWorkflow): ReadonlyMap<string, readonly string[]> {
  const ancestors = new Map<string, string[]>();
  const below = new Map<string, string[]>();
  for (const { id, parentId } of controls) {
    const above = parentId === null ? [] : [parentId, ...(ancestors.get(parentId) ?? [])];
    ancestors.set(id, above);
    for (const heading of above) below.set(heading, [...(below.get(heading) ?? []), id]);
  }
  return below;
}

const NONE: readonly ControlMatch[] = Object.freeze([]);

class MappingRules {
  private readonly schema: CatalogSchema;
  private readonly controls: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(directory: string, workflows: readonly CatalogWorkflow[]) {
    this.schema = new CatalogSchema(join(directory, 'mapping.schema.json'));
    this.controls = new Map(workflows.map(({ id, controls }) => [id, new Set(controls.map((one) => one.id))]));
  }

  errorsOf(document: CatalogDocument): readonly CatalogError[] {
    if (document.syntaxErrors.length > 0) return document.syntaxErrors;
    const shape = this.schema.errorsOf(document);
    return shape.length > 0 ? shape : this.referenceErrors(document);
  }

  /** A mapping of an unknown control would wait for documents for ever. */
  private referenceErrors(document: CatalogDocument): CatalogError[] {
    const { from, to, pairs } = asPartial(document.data) as unknown as MappingFile;
    const errors: CatalogError[] = [];
    const add = (path: Path, sentence: string) => errors.push({ path, line: document.lineOf(path), sentence });
    const [ours, theirs] = [this.controls.get(from), this.controls.get(to)];
    if (ours === undefined) add(['from'], 'is no workflow of the catalogue');
    if (theirs === undefined || to === from) add(['to'], 'is no other workflow of the catalogue');
    const seen = new Set<string>();
    for (const [index, { control, matches }] of pairs.entries()) {
      if (ours !== undefined && !ours.has(control)) add(['pairs', index, 'control'], `is no control of ${from}`);
      if (seen.has(control)) add(['pairs', index, 'control'], 'is there twice');
      seen.add(control);
      for (const [place, match] of matches.entries()) {
        if (theirs !== undefined && !theirs.has(match))
          add(['pairs', index, 'matches', place], `is no control of ${to}`);
      }
    }
    return errors;
  }
}
