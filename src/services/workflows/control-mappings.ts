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

/** What the JSON Schema promises of a valid mapping. */
interface MappingFile {
  from: string;
  to: string;
  pairs: { control: string; matches: string[] }[];
}

/**
 * Equivalent controls of two workflows, so that one document counts for both. Read in both directions, and never
 * through a third control: equivalence is not transitive.
 */
export class ControlMappings {
  private readonly matches = new Map<string, ControlRef[]>();

  constructor(mappings: readonly MappingFile[]) {
    for (const { from, to, pairs } of mappings) {
      for (const { control, matches } of pairs) {
        for (const match of matches) {
          this.add({ workflowId: from, controlId: control }, { workflowId: to, controlId: match });
          this.add({ workflowId: to, controlId: match }, { workflowId: from, controlId: control });
        }
      }
    }
  }

  /** Validates the mappings of a folder; undefined when there is no such folder. */
  static builder(directory: string, workflows: readonly CatalogWorkflow[]): MappingRules | undefined {
    return existsSync(directory) ? new MappingRules(directory, workflows) : undefined;
  }

  /** Controls of other workflows that a document of this one counts for. */
  of({ workflowId, controlId }: ControlRef): readonly ControlRef[] {
    return this.matches.get(`${workflowId}/${controlId}`) ?? NONE;
  }

  private add(from: ControlRef, to: ControlRef): void {
    const key = `${from.workflowId}/${from.controlId}`;
    const known = this.matches.get(key);
    if (known === undefined) this.matches.set(key, [to]);
    else known.push(to);
  }
}

const NONE: readonly ControlRef[] = Object.freeze([]);

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
