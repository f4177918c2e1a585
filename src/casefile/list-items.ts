/** A list of texts as DuckDB hands it over. */
export function listItems(value: unknown): string[] {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : [];
  return Array.isArray(items) ? items.map(String) : [];
}
