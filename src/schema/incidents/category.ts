import { INCIDENT_CATEGORIES } from '../../values/enums.js';
import { spelledEnumeration } from '../shared/spelled.js';

export const IncidentCategoryEnum = spelledEnumeration(
  'IncidentCategory',
  'A category that a law has incidents reported under; `categories` of a reporting regime say what falls under each.',
  INCIDENT_CATEGORIES,
);
