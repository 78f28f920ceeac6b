import { DEVICE_KINDS, FRAMEWORK_VALUES, INFRASTRUCTURES } from '../../values/enums.js';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../values/sectors.js';
import { optionOf, spelledEnumeration } from '../shared/spelled.js';

// Specification 2.2.
export const SectorEnum = spelledEnumeration('Sector', 'A sector of an organization.', SECTORS);
export const IndustryEnum = spelledEnumeration('Industry', 'An industry of an organization.', INDUSTRIES);
export const Nis2SectorEnum = spelledEnumeration(
  'Nis2Sector',
  'A NIS 2 sector of an organization.',
  NIS2_SECTORS.filter((sector) => sector !== ''),
);
export const InfrastructureEnum = spelledEnumeration(
  'Infrastructure',
  'Where the systems of an organization run.',
  INFRASTRUCTURES,
);
export const ComplianceFrameworkValueEnum = spelledEnumeration(
  'ComplianceFrameworkValue',
  'A compliance framework that an organization names.',
  FRAMEWORK_VALUES,
);

// Specification 1.
const DeviceKindEnum = spelledEnumeration(
  'DeviceKind',
  'A kind of device configurations, by its path segment in REST.',
  DEVICE_KINDS,
);

export const SectorOption = optionOf('Sector', SectorEnum, 'A sector to choose.');
export const IndustryOption = optionOf('Industry', IndustryEnum, 'An industry to choose.');
export const Nis2SectorOption = optionOf('Nis2Sector', Nis2SectorEnum, 'A NIS 2 sector to choose.');
export const InfrastructureOption = optionOf(
  'Infrastructure',
  InfrastructureEnum,
  'A kind of infrastructure to choose.',
);
export const DeviceKindOption = optionOf('DeviceKind', DeviceKindEnum, 'A kind of device configurations to choose.');
