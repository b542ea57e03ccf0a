/** The Living Document. */
export const Document = ({ reference, newest }: { readonly reference: string; readonly newest: number }) => (
  <p>
    {reference} {newest}
  </p>
)
