/** Keeps the keys with the best scores of those it is offered, at most so many: a heap with the worst on top. */
export const createBest = (atMost: number) => {
  const keys = new Uint32Array(atMost)
  const scores = new Float32Array(atMost)
  let size = 0
  const put = (place: number, key: number, score: number) => {
    keys[place] = key
    scores[place] = score
  }
  return {
    /** Answers the score that the next one must be above: 0 until there are so many. */
    offer: (key: number, score: number): number => {
      let place = 0
      if (size < atMost) {
        place = size
        size += 1
        for (let above = (place - 1) >> 1; place > 0 && score < (scores[above] ?? 0); above = (place - 1) >> 1) {
          put(place, keys[above] ?? 0, scores[above] ?? 0)
          place = above
        }
      } else {
        for (let below = 1; below < size; below = 2 * place + 1) {
          if (below + 1 < size && (scores[below + 1] ?? 0) < (scores[below] ?? 0)) below += 1
          if (score <= (scores[below] ?? 0)) break
          put(place, keys[below] ?? 0, scores[below] ?? 0)
          place = below
        }
      }
      put(place, key, score)
      return size < atMost ? 0 : (scores[0] ?? 0)
    },
    keys: (): readonly number[] => Array.from(keys.subarray(0, size)),
  }
}
