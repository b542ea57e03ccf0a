import { Alert, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { isUnavailable } from '../api/problem.ts'
import { t } from '../language/messages.ts'
import { useIsCutOff } from '../load-part.ts'
import { createRegister } from './registered.ts'

interface Banner {
  readonly id: string
  readonly text: ReactNode
}

const banners = createRegister<Banner>()

/** Shows a banner beside every screen while the component is mounted. Give it the same array (`useMemo`) while nothing changes. */
export const useBanners = banners.useRegister

const CUT_OFF = t('A part of the app could not be loaded. It is tried again by itself.')

/** In the navigation, on a phone above the screen: what concerns all of them, such as that something which the service depends on is away. */
export const Banners = () => {
  const away = useUnavailable()
  const isCutOff = useIsCutOff()
  const shown = [
    ...(away === null ? [] : [{ id: 'away', text: away }]),
    ...(isCutOff ? [{ id: 'cut-off', text: CUT_OFF }] : []),
    ...banners.useAll(),
  ]
  return shown.map(({ id, text }) => (
    <Alert key={id} color="orange" radius={0} p="sm" role="status" icon={<IconPlugConnectedX size={18} />} data-chrome>
      <Text size="sm">{text}</Text>
    </Alert>
  ))
}

/** What the last failed read said is away; null when none of the reads on the screen failed so. */
const useUnavailable = (): string | null => {
  const cache = useQueryClient().getQueryCache()
  const [away, setUnavailable] = useState<string | null>(null)
  useEffect(
    () =>
      cache.subscribe(() => {
        const failed = cache.getAll().find(query => query.isActive() && isUnavailable(query.state.error))
        // Not while React renders, which is when some of the cache’s events come.
        queueMicrotask(() => setUnavailable(failed?.state.error?.message ?? null))
      }),
    [cache],
  )
  return away
}
