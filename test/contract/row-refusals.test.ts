import { expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import * as errors from '../../src/errors.js';
import { conflict, type ConflictReason, type DomainError } from '../../src/errors.js';
import { refusalOf } from '../../src/services/shared/rows.js';
import { ROW_ERROR_CODES } from '../../src/values/enums.js';

const SERVICES = resolve('src/services');
const ERRORS = resolve('src/errors.ts');

/** Functions that process one row, or validate it, by the kind of rows. */
const ROWS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  invitations: [['members/invite-many.service.ts', 'one']],
  members: [
    ['shared/import-rows.ts', 'rowErrors'],
    ['members/member-import.service.ts', 'applying'],
  ],
  controls: [
    ['shared/import-rows.ts', 'rowErrors'],
    ['workflows/control-import.service.ts', 'applying'],
  ],
  documents: [
    ['documents/document-import.service.ts', 'plan'],
    ['documents/document-import.service.ts', 'unnamed'],
    ['documents/document-import.service.ts', 'upload'],
  ],
  checks: [['devices/device-reports.service.ts', 'reportMany']],
};

/** Errors of the whole request: no valid token, and an outage. */
const OF_ALL_ROWS = new Set(['UNAUTHENTICATED', 'UNAVAILABLE']);

/** Reasons in the code for a kind of rows that no row can cause. */
const NEVER_MET: Readonly<Record<string, readonly ConflictReason[]>> = {
  // For auditors of an engagement: a row invites members.
  invitations: ['ALREADY_AUDITOR', 'ENGAGEMENT_LIMIT'],
};

/** Functions that create or throw errors, by name in src/errors.ts, with an example. */
const MAKERS = new Map<string, () => DomainError>([
  ...(['unauthenticated', 'forbidden', 'notFound', 'preconditionFailed', 'missingContent'] as const).map(maker),
  ...(['invalidBase64', 'invalidData', 'unavailable', 'internal', 'cursorGone', 'keyInUse'] as const).map(maker),
  ['found', errors.notFound],
  ['requireVersion', errors.preconditionFailed],
  ['rateLimited', () => errors.rateLimited(1)],
  ['badUserInput', () => errors.badUserInput([''])],
  ...['invalidInput', 'refuseErrors', 'reading'].map((name) => [name, () => errors.invalidInput([])] as const),
  ['unsupportedFileType', () => errors.unsupportedFileType([])],
  ['fileTooLarge', () => errors.fileTooLarge(1)],
]);

function maker<Name extends string>(name: Name & keyof typeof errors) {
  return [name, errors[name] as () => DomainError] as const;
}

const program = ts.createProgram(
  [...new Set(Object.values(ROWS).flatMap((functions) => functions.map(([file]) => join(SERVICES, file))))],
  { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, strict: true, types: [] },
  sourcesAlone(),
);
const checker = program.getTypeChecker();

/** Packages are skipped: they throw none of the project's errors. */
function sourcesAlone(): ts.CompilerHost {
  const host = ts.createCompilerHost({});
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      const resolvedFileName = join(dirname(from), text.replace(/\.js$/, '.ts'));
      const isSource = text.startsWith('.') && existsSync(resolvedFileName);
      return { resolvedModule: isSource ? { resolvedFileName, extension: ts.Extension.Ts } : undefined };
    });
  return host;
}

function functionNamed([file, name]: readonly [string, string]): ts.Node {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    const isFunction = ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node);
    if (isFunction && node.name?.getText() === name) found = node;
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(join(SERVICES, file))!);
  if (found === undefined) throw new Error(`${file} has no ${name}`);
  return found;
}

function declarationsOf(node: ts.Identifier): readonly ts.Declaration[] {
  const isShort = ts.isShorthandPropertyAssignment(node.parent);
  const symbol = isShort ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
  const named = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return named?.declarations ?? [];
}

/** All functions, methods, constructors and constants that these functions may call by name. */
function errorsReachedBy(functions: readonly ts.Node[]): Map<string, DomainError> {
  const reached = new Set(functions);
  const found = new Map<string, DomainError>();
  const note = (name: ts.Identifier): void => {
    const make = MAKERS.get(name.text);
    if (make !== undefined) found.set(name.text, make());
    if (name.text !== 'conflict' || !ts.isCallExpression(name.parent)) return;
    for (const [, reason] of name.parent.arguments[0]!.getText().matchAll(/'(\w+)'/g))
      found.set(`conflict ${reason}`, conflict(reason as ConflictReason));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node))
      for (const declaration of declarationsOf(node)) {
        const path = declaration.getSourceFile().fileName;
        if (path === ERRORS) note(node);
        else if (ts.isClassDeclaration(declaration)) {
          const made = ts.isNewExpression(node.parent) ? declaration.members.filter(ts.isConstructorDeclaration) : [];
          for (const each of made) reached.add(each);
        } else if (path.startsWith(resolve('src')) && RUN.some((isRun) => isRun(declaration))) reached.add(declaration);
      }
    ts.forEachChild(node, visit);
  };
  // A set also iterates over items that are added meanwhile.
  for (const each of reached) ts.forEachChild(each, visit);
  return found;
}

const RUN: readonly ((node: ts.Node) => boolean)[] = [
  ...[ts.isFunctionDeclaration, ts.isMethodDeclaration, ts.isGetAccessor, ts.isVariableDeclaration],
  ...[ts.isPropertyDeclaration, ts.isPropertyAssignment],
];

const kinds = Object.entries(ROWS);
const reachedBy = new Map(kinds.map(([kind, functions]) => [kind, errorsReachedBy(functions.map(functionNamed))]));

/** Errors of one row of a kind, by the functions that create them. */
function ownErrors(kind: string): [string, DomainError][] {
  const isNeverMet = ({ reason }: DomainError) => NEVER_MET[kind]?.some((never) => never === reason);
  return [...(reachedBy.get(kind) ?? [])].filter(([, error]) => !OF_ALL_ROWS.has(error.code) && !isNeverMet(error));
}

function isRefusal(error: DomainError): boolean {
  try {
    return refusalOf(error).cause === error;
  } catch {
    return false;
  }
}

it.each(kinds.map(([kind]) => kind))(
  'every error that a row of %s can have is its own, or concerns all rows',
  (kind) => {
    const others = ownErrors(kind).filter(([, error]) => !isRefusal(error));
    expect(others.map(([name]) => name)).toEqual([]);
  },
);

it('a row has no code that no row can be refused with', () => {
  const codes = kinds.flatMap(([kind]) => ownErrors(kind).map(([, error]) => refusalOf(error).code));
  expect(new Set(codes)).toEqual(new Set(ROW_ERROR_CODES));
});

it('the errors of files, of the database and of the rights of a caller are among those that were found', () => {
  expect([...(reachedBy.get('documents')?.keys() ?? [])]).toEqual(
    expect.arrayContaining(['conflict STORAGE_LIMIT', 'unsupportedFileType', 'unavailable', 'forbidden', 'notFound']),
  );
});
