/** Runs the parts of a benchmark that are named, or all of them one after the other. Rejects for a name that is none. */
export const runParts = async (
  benchmark: string,
  parts: Readonly<Record<string, () => Promise<void>>>,
  named: readonly string[],
): Promise<void> => {
  for (const name of named.length === 0 ? Object.keys(parts) : named) {
    const part = parts[name]
    if (part === undefined) {
      throw new Error(
        `The benchmark ${benchmark} has no part "${name}". Choose from: ${Object.keys(parts).join(', ')}.`,
      )
    }
    console.log(`\n== ${name}`)
    await part()
  }
}
