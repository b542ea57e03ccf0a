import { Alert, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { isUnavailable } from '../api/http.ts'
import { type Output, useOperation } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { useIsCutOff } from '../load-part.ts'
import { createRegister } from './registered.ts'
import { useIsUsed } from './use-interaction.ts'

interface Banner {
  readonly id: string
  readonly text: ReactNode
}

const banners = createRegister<Banner>()

/**
 * Shows a banner beside every screen while the component is mounted. Give it the same array (`useMemo`) while nothing
 * changes.
 */
const useBanners = banners.useRegister

const CUT_OFF = t('A part of the app could not be loaded. The app tries again by itself.')

/**
 * In the navigation, on a phone above the screen: what concerns all of them, such as that something which the service
 * depends on is away.
 */
export const Banners = () => {
  const away = useUnavailable()
  const isCutOff = useIsCutOff()
  useReadAgainOnline()
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

/** Reads again what failed because nothing could be reached, as soon as the browser has a network again. */
const useReadAgainOnline = (): void => {
  const queries = useQueryClient()
  useEffect(() => {
    const readAgain = () =>
      void queries.refetchQueries({ type: 'active', predicate: ({ state: { error } }) => isUnavailable(error) })
    addEventListener('online', readAgain)
    return () => removeEventListener('online', readAgain)
  }, [queries])
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

const REFRESH_MS = 15_000

type Dependency = Output<'inspect_dependencies'>['items'][number]

const NAMES: Readonly<Record<Dependency['name'], string>> = {
  database: t('The database cannot be reached.'),
  analytics: t('The analytics database cannot be reached.'),
  log: t('The log cannot be reached.'),
  registry: t('The schema registry cannot be reached.'),
  processors: t('The pipeline has stopped.'),
  embedder: t('The embedding model cannot be reached.'),
  judge: t('The judge cannot be reached.'),
  mail: t('Mail cannot be sent.'),
}

const bannerOf = ({ name, reason, effect }: Dependency): Banner => ({
  id: name,
  text: (
    <>
      <strong>{NAMES[name]}</strong> {effect} <bdi>{reason}</bdi>
    </>
  ),
})

/**
 * Keeps a banner above every screen for each thing that the service depends on and that is away. Shows nothing itself.
 */
export const DependencyBanner = () => {
  // Until then, what is away is told by what could not be read.
  const { data } = useOperation('inspect_dependencies', {}, { enabled: useIsUsed(), refresh_ms: REFRESH_MS })
  const away = JSON.stringify((data?.items ?? []).filter(({ state }) => state === 'away'))
  // Told anew only when something else is away.
  useBanners(useMemo(() => (JSON.parse(away) as readonly Dependency[]).map(bannerOf), [away]))
  return null
}
