import { join } from 'node:path';
import { FORMATS } from '../../common/formats.js';
import { CatalogSchema } from '../workflows/catalog-schema.js';
import type { CatalogDocument, CatalogError } from '../workflows/catalog-text.js';
import { readCatalog } from '../workflows/catalog.js';

/** The parts of a regime that a country may change. */
interface RegimeParts {
  readonly id: string;
  readonly name: string;
  readonly source: { readonly text: string; readonly url: string };
  readonly stages: readonly {
    readonly stage: string;
    readonly recipient: string;
    readonly addressee: 'AUTHORITY' | 'PEOPLE';
    readonly portalUrl: string | null;
    readonly fields: readonly { readonly law: string }[];
  }[];
}

/** The rule of a country for a regime, from a day of awareness until its next rule. */
export interface NationalRule<Regime> {
  readonly country: string;
  readonly validFrom: string;
  readonly remarks: string | null;
  readonly checkedOn: string;
  /** The sources that were checked, and those that were not. */
  readonly checked: string;
  /** The regime in this country: its reports to authorities have its recipient and portal. */
  readonly regime: Regime;
}

/** The content of a file that is valid by its JSON Schema. */
interface CountryFile {
  country: string;
  rules: {
    regime: string;
    valid_from: string;
    name?: string;
    source?: RegimeParts['source'];
    laws?: Record<string, string>;
    recipient: string;
    portal?: string;
    remarks?: string;
    checked: { on: string; text: string };
  }[];
}

/** The regimes, each with its rules of the files of `directory`, by day. Throws one Error that lists all errors of all files. */
export function withNationalRules<Regime extends RegimeParts>(regimes: readonly Regime[], directory: string): Regime[] {
  const schema = new CatalogSchema(join(directory, 'country.schema.json'));
  const errorsOf = (document: CatalogDocument) => {
    const errors = schema.errorsOf(document);
    return errors.length > 0 ? errors : ruleErrors(document, regimes);
  };
  const files = readCatalog<CountryFile>(directory, 'Rules of countries', errorsOf);
  return regimes.map((regime) => {
    const rules = files.flatMap(({ country, rules: all }) =>
      all.filter((rule) => rule.regime === regime.id).map((rule) => toRule(regime, country, rule)),
    );
    return { ...regime, national: rules.toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1)) };
  });
}

/** A regime in a country on a day; unchanged without a national rule. */
export function nationalRegime<Regime extends { readonly national: readonly NationalRule<Regime>[] }>(
  regime: Regime,
  country: string | undefined,
  day: string,
): Regime {
  return regime.national.findLast((rule) => rule.country === country && rule.validFrom <= day)?.regime ?? regime;
}

function toRule<Regime extends RegimeParts>(
  regime: Regime,
  country: string,
  rule: CountryFile['rules'][number],
): NationalRule<Regime> {
  const { recipient, laws = {}, portal = null, remarks = null, checked } = rule;
  const stages = regime.stages.map((stage) => {
    const { [stage.stage]: law } = laws;
    const fields = law === undefined ? stage.fields : stage.fields.map((field) => ({ ...field, law }));
    return stage.addressee === 'PEOPLE' ? { ...stage, fields } : { ...stage, recipient, portalUrl: portal, fields };
  });
  const { name = regime.name, source = regime.source } = rule;
  const national = { ...regime, name, source, stages };
  return {
    ...{ country, validFrom: rule.valid_from, remarks, checkedOn: checked.on, checked: checked.text },
    regime: national,
  };
}

/** Countries, regimes and stages must exist, and a regime has at most one rule from the same day on. */
function ruleErrors({ data, lineOf }: CatalogDocument, regimes: readonly RegimeParts[]): CatalogError[] {
  const { id, country, rules } = data as CountryFile & { id: string };
  const errors: CatalogError[] = [];
  const add = (path: CatalogError['path'], sentence: string) => errors.push({ path, line: lineOf(path), sentence });
  const wrong = FORMATS.country(country);
  if (wrong !== undefined) add(['country'], wrong);
  if (id !== country.toLowerCase()) add(['id'], 'must be the country in small letters');
  const before = new Set<string>();
  for (const [index, { regime, valid_from: day, laws = {} }] of rules.entries()) {
    const known = regimes.find((each) => each.id === regime);
    if (known === undefined) add(['rules', index, 'regime'], 'is no regime');
    for (const stage of Object.keys(laws))
      if (known?.stages.every((each) => each.stage !== stage))
        add(['rules', index, 'laws', stage], `is no stage of ${regime}`);
    if (before.has(`${regime} ${day}`)) add(['rules', index, 'valid_from'], `is there twice for ${regime}`);
    before.add(`${regime} ${day}`);
  }
  return errors;
}
