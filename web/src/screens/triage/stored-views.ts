/** A view that somebody gave a name: the address’s own text, so that a link to it is the view. */
export interface StoredView {
  readonly name: string
  readonly search: string
}

const STORED = 'assay-triage-views'
export const MAX_VIEWS = 30

/** Whatever is stored, as far as it is what was stored there. */
export const readViews = (storage: Pick<Storage, 'getItem'>): readonly StoredView[] => {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView).slice(0, MAX_VIEWS) : []
  } catch {
    return []
  }
}

const isView = (value: unknown): value is StoredView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'search' in value &&
  typeof value.name === 'string' &&
  typeof value.search === 'string'

/** Under a name that there is, the new one takes the place of the old one. */
export const withView = (views: readonly StoredView[], view: StoredView): readonly StoredView[] =>
  [...withoutView(views, view.name), view]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .slice(0, MAX_VIEWS)

export const withoutView = (views: readonly StoredView[], name: string): readonly StoredView[] =>
  views.filter(each => each.name !== name)

export const storeViews = (storage: Pick<Storage, 'setItem'>, views: readonly StoredView[]): void =>
  storage.setItem(STORED, JSON.stringify(views))
