// The arms in Fig. 1 of the e-cAPE paper, with the means in pkg/study/ecape.
{
  const setting = {
   "of": "means",
   "label": "Three arms in the plane of two objectives; you can move the arms.",
   "prompt": "drag arm 2 onto the boundary of the green region. The run becomes long, because it is hard to decide whether the arm is feasible.",
   "instance": {
    "arms": [
     "1",
     "2",
     "3"
    ],
    "objectives": [
     "objective 1",
     "objective 2"
    ],
    "means": [
     [0.8, 0.8],
     [0.45, 0.45],
     [0.35, 0.3]
    ],
    "noise": {
     "kind": "gaussian",
     "sd": 0.5
    },
    "question": {
     "kind": "feasible-pareto",
     "least": [0.4, 0]
    }
   },
   "delta": 0.1,
   "methods": [
    {
     "name": "e-cape",
     "label": "e-cAPE",
     "constants": [
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    },
    {
     "name": "uniform",
     "label": "uniform",
     "constants": [
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    },
    {
     "name": "two-stage",
     "label": "two stages",
     "constants": [
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    },
    {
     "name": "racing",
     "label": "racing",
     "constants": [
      "kaufmann-koolen",
      "theory",
      "paper"
     ]
    }
   ],
   "least": [
    "objective 1",
    "objective 2"
   ],
   "window": [
    [0, 1.2],
    [-0.2, 1.2]
   ]
  };
  purexp.load("live/live.js").then(() => purexp.load("live/plane.js")).then(
    () => purexp.panel("ecape", element => purexp.plane(element, setting)),
    err => purexp.panel("ecape", element => { element.textContent = err.message; }),
  );
}
