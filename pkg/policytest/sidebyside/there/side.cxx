// Runs methods of cyrille-kone/linear_psi, which is not a part of this project, and says how many
// measurements they took and how many seconds of the processor: docs/side-by-side.md.
//
//   side METHOD MEANS RUNS DELTA-OR-BUDGET
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include "cpp/src/utils.hpp"
#include "cpp/src/bandits.hpp"
#include "cpp/src/policies.hpp"

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    std::string method = argv[1], line, cell;
    std::vector<std::vector<double>> means;
    for (std::ifstream in(argv[2]); std::getline(in, line);) {
        std::vector<double> row;
        for (std::stringstream cells(line); std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
        means.push_back(row);
    }
    const size_t runs = std::atol(argv[3]);
    const double x = std::atof(argv[4]);
    bernoulli arms(means);
    size_t pulls = 0;
    std::clock_t begun = std::clock();
    for (size_t seed = 1; seed <= runs; ++seed) {
        if (method == "APE") {
            psi_ape p(arms);
            pulls += p.loop(seed, x).second;
        } else if (method == "Auer") {
            psi_auer p(arms);
            pulls += p.loop(seed, x).second;
        } else if (method == "EGE-SR") {
            ege_sr p(arms);
            (void)p.loop(seed, size_t(x));
            pulls += size_t(x);
        } else {
            ege_sh p(arms);
            (void)p.loop(seed, size_t(x));
            pulls += size_t(x);
        }
    }
    std::printf("%zu %.6f\n", pulls, double(std::clock() - begun) / CLOCKS_PER_SEC);
}
