import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveTopic } from '../../../schemas/domain/vocabulary.ts'
import { listen, liveNow, onLiveChange } from './live-connection.ts'

/**
 * Runs whenever something of the topics has changed, whoever changed it: a colleague, an agent, the pipeline; and when the page may have missed that.
 * Answers whether it hears of changes at the moment.
 */
export const useLiveChange = (topics: readonly LiveTopic[], run: () => void): boolean => {
  const newest = useRef({ topics, run })
  newest.current = { topics, run }
  useEffect(
    () =>
      listen(changed => {
        const wanted = newest.current
        if (changed === null || changed.some(topic => wanted.topics.includes(topic))) wanted.run()
      }),
    [],
  )
  return useSyncExternalStore(onLiveChange, liveNow)
}
