/** Whom to look for, as it was written. */
export interface Asked {
  readonly address?: string
  readonly name?: string
}
