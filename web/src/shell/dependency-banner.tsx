import { useMemo } from 'react'
import type { Output } from '../api/client.ts'
import { useOperation } from '../api/hooks.ts'
import { useBanners } from './banners.tsx'

const REFRESH_MS = 15_000

type Banner = Parameters<typeof useBanners>[0][number]
type Dependency = Output<'inspect_dependencies'>['items'][number]

const NAMES: Readonly<Record<Dependency['name'], string>> = {
  database: 'The database is away.',
  analytics: 'The analytics database is away.',
  log: 'The log is away.',
  processors: 'The pipeline stands still.',
  embedder: 'The embedding model is away.',
  judge: 'The judge is away.',
}

const bannerOf = ({ name, reason, means }: Dependency): Banner => ({
  id: name,
  text: (
    <>
      <strong>{NAMES[name]}</strong> {means} <bdi>{reason}</bdi>
    </>
  ),
})

/** Keeps a banner above every screen for each thing that the service depends on and that is away. Shows nothing itself. */
export const DependencyBanner = () => {
  const { data } = useOperation('inspect_dependencies', {}, { refresh_ms: REFRESH_MS })
  const away = JSON.stringify((data?.items ?? []).filter(({ state }) => state === 'away'))
  // Told anew only when something else is away.
  useBanners(useMemo(() => (JSON.parse(away) as readonly Dependency[]).map(bannerOf), [away]))
  return null
}
