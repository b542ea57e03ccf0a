/** What an example is made of. */
export interface ExampleOf {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** What a right request with this body has. */
  readonly headers: Readonly<Record<string, string>>
}
