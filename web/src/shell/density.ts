import { useLocalStorage } from '@mantine/hooks'
import { useLayoutEffect } from 'react'
import { t } from '../language/messages.ts'

export const DENSITIES = [
  { density: 'comfortable', title: t('Comfortable') },
  { density: 'dense', title: t('Dense') },
] as const
export type Density = (typeof DENSITIES)[number]['density']

const STORED = 'assay-density'

/** What a browser has stored may be older than these, or somebody else’s. */
export const densityOf = (stored: string | null | undefined): Density =>
  DENSITIES.find(({ density }) => density === stored)?.density ?? 'comfortable'

/** How close the lines of every list stand, as the person chose in this browser. */
export const useDensity = () =>
  useLocalStorage<Density>({
    key: STORED,
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    serialize: density => density,
    deserialize: densityOf,
  })

/** Tells it to the style sheets; called once, by the shell. */
export const useShownDensity = (): void => {
  const [density] = useDensity()
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
}
