/** `templates/` of the package: two folders up from here, in `src` and in `dist` alike. */
export const TEMPLATES = new URL('../../templates/', import.meta.url);
