/**
 * SQL for one member of a record's data. Data is interned among all other text, and a job may be called `{"shape":`: what looks
 * like data is only taken for it where it is JSON.
 */
export const dataField = (column: string, name: string): string =>
  `CASE WHEN json_valid(${column}) THEN ${column}->>'${name}' END`;
