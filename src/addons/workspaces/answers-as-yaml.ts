/** The answers of the three tools in the seed's YAML, for every surface. */
export { renderLearnings, renderOverviews, renderPlans } from './decide/render-answers.ts'
