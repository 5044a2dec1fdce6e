// The trial of 00-start-here.ipynb with a higher bound on safety, so that the first run is short.
{
  const setting = {
   "of": "means",
   "label": "The doses of the trial: efficacy to the right, safety upwards; you can move the doses.",
   "prompt": "set the lower bound on safety to 0.4, as above: 75mg and 300mg then miss it by one percentage point, and the run takes many times as long. Or drag 75mg up to the dashed line: the closer it is to the line, the longer the run.",
   "instance": {
    "arms": [
     "placebo",
     "25mg",
     "75mg",
     "150mg",
     "300mg"
    ],
    "objectives": [
     "efficacy",
     "safety"
    ],
    "means": [
     [0.36, 0.42],
     [0.34, 0.481],
     [0.469, 0.388],
     [0.465, 0.535],
     [0.537, 0.39]
    ],
    "noise": {
     "kind": "bernoulli"
    },
    "question": {
     "kind": "feasible-pareto",
     "least": [0.4, 0.45]
    }
   },
   "delta": 0.1,
   "methods": [
    {
     "name": "e-cape",
     "label": "e-cAPE",
     "constants": [
      "mixture",
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    },
    {
     "name": "uniform",
     "label": "uniform",
     "constants": [
      "mixture",
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    },
    {
     "name": "two-stage",
     "label": "two stages",
     "constants": [
      "mixture",
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    },
    {
     "name": "racing",
     "label": "racing",
     "constants": [
      "mixture",
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    }
   ],
   "least": [
    "efficacy",
    "safety"
   ],
   "window": [
    [0.25, 0.65],
    [0.3, 0.6]
   ]
  };
  purexp.load("live/live.js").then(() => purexp.load("live/plane.js")).then(
    () => purexp.panel("start", element => purexp.plane(element, setting)),
    err => purexp.panel("start", element => { element.textContent = err.message; }),
  );
}
